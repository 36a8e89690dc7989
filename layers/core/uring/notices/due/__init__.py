"""The deadline that a notice's title names: pure, from the title and the notice's own day.

    title ─ mentions ─► dates, weekdays, times ─ phrases ─► ~11.30, 3.2.~3.6. ─ choice ─► Deadline

A deadline is derived where it is published. No state, no archive and no hash has it, so a better
reader changes no record and pushes nothing.

`mentions`  dates in a title, with the `times` behind them
`phrases`   an end, a period or a day alone, from the signs around its dates
`words`     what titles say of deadlines and of other days
`years`     the year of a date that has none
`deadline`  which phrase is the deadline, and how sure that is
`published` the deadline of a stored notice, as readers get it
"""
