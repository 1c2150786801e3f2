"""The screen that is only written on."""

from __future__ import annotations

import io

from narrator.interface import Interface
from narrator.rules import Phase
from narrator.screen import View
from narrator.screen.paper import Paper
from narrator.script import Script


def test_a_rehearsal_reads_like_a_protocol() -> None:
    """Phases are headings, spoken lines stand as they are, and whatever is private is indented and names its audience."""
    stream = io.StringIO()
    paper = Paper(Interface.load(), Script("newmoon"), stream)
    night = View(8, Phase("night", 1), (), {}, 0, None, None)
    paper.public(night)
    paper.speaking("witch.wake", "女巫请睁眼。")
    paper.public(night)
    paper.private("witch", "今夜被吃的是：三号")
    paper.private("lovers", "相爱的是：一号和二号")
    paper.asking("用解药吗？", secret=True)
    for typed in ("1", "12", ""):
        paper.typed(typed)
    paper.refuse("请按 1 或 0")
    paper.asking("", secret=True)
    paper.wipe()
    paper.notice("已保存")
    paper.notice("")
    paper.close()
    assert stream.getvalue() == (
        "\n== 第1夜 ==\n女巫请睁眼。\n   [女巫] 今夜被吃的是：三号\n   [情侣] 相爱的是：一号和二号\n"
        "   [?] 用解药吗？\n   > 12\n   ! 请按 1 或 0\n   * 已保存\n"
    )
