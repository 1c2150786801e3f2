#!/bin/sh
# Waits until sound can be heard: a USB loudspeaker and the sound server appear seconds after the user's services are started, and
# whoever opens the default loudspeaker before that plays into a dummy. Gives up after so many seconds, for a box waits for its
# loudspeaker anyway.
#
#     wait.sh [SECONDS] [CARDS]     CARDS: where the kernel lists the sound cards

left=${1:-20}
cards=${2:-/proc/asound/cards}

heard() {
  grep -q '\[' "$cards" 2>/dev/null || return 1
  if command -v pactl >/dev/null && systemctl --user --quiet is-active pipewire-pulse.socket pulseaudio.socket; then
    case $(timeout 5 pactl get-default-sink 2>/dev/null) in "" | auto_null | @DEFAULT_SINK@) return 1 ;; esac
  elif command -v wpctl >/dev/null && systemctl --user --quiet is-active pipewire.socket; then
    timeout 5 wpctl get-volume @DEFAULT_AUDIO_SINK@ >/dev/null 2>&1 || return 1
  fi
}

until heard; do
  [ "$left" -gt 0 ] || exit 1
  left=$((left - 1))
  sleep 1
done
