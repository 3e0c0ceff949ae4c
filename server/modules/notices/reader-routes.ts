// Routes of readers of notices: one in full, the bars, and the settings.
import type { FastifyInstance } from 'fastify'
import { changeNoticeSettings, getNoticeSettings } from '#contract/notices/notice-settings.ts'
import { closeBar, getNotice, listBars, MAX_BARS, readNotice } from '#contract/notices/notices.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute, route } from '#server/http/route.ts'
import { dayOf } from '#server/rules/money/periods.ts'
import { barAt } from '#server/services/runtime/bar.ts'
import { publishUnreadCount } from '#server/services/notifications/notify.ts'
import { isReader } from '#server/store/notices/audience.ts'
import { addReading, closeBarOf, listUrgent, readNotification } from '#server/store/notices/marks.ts'
import { findShown, type ShownNotice } from '#server/store/notices/notices.ts'
import { changeSettings, settingsOf } from './settings.ts'
import { noticeView } from './views.ts'

export function noticeRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, transaction } = deps

  memberRoute(app, getNotice, async ({ viewer, params }) =>
    noticeView(deps, await readableBy(deps, params.notice_id, viewer.id)),
  )

  memberRoute(app, readNotice, async ({ viewer, params }) => {
    const { id } = await readableBy(deps, params.notice_id, viewer.id)
    const mark = { noticeId: id, userId: viewer.id }
    await transaction(async (unit) => {
      await addReading(unit.tx, mark, dayOf(clock()))
      if (await readNotification(unit.tx, mark, clock())) publishUnreadCount(unit, [viewer.id])
    })
    return { data: { id } }
  })

  route(app, listBars, async ({ viewer }) => {
    const urgent = await listUrgent(db, viewer?.id ?? null, clock())
    const bars: ShownNotice[] = []
    for (const it of urgent) {
      if (bars.length === MAX_BARS) break
      if (!viewer || (await isReader(db, it, viewer.id, clock()))) bars.push(it)
    }
    return {
      bars: bars.map((it) => ({ id: it.id, title: it.title, until: it.barUntil?.toISOString() ?? null })),
      bar: barAt((await deps.runtime.values()).bar, clock()),
    }
  })

  memberRoute(app, closeBar, async ({ viewer, params }) => {
    const { id } = await readableBy(deps, params.notice_id, viewer.id)
    await transaction(({ tx }) => closeBarOf(tx, { noticeId: id, userId: viewer.id }, clock()))
    return { data: { id } }
  })

  memberRoute(app, getNoticeSettings, ({ viewer }) => settingsOf(db, viewer.id))
  memberRoute(app, changeNoticeSettings, async ({ viewer, body }) => {
    await changeSettings(deps, viewer.id, body)
    return settingsOf(db, viewer.id)
  })
}

/** @throws ApiError `not_found` for a notice that is not shown, or not to this person */
async function readableBy({ db, clock }: Deps, noticeId: string, userId: string): Promise<ShownNotice> {
  const notice = (await findShown(db, [noticeId], clock())).get(noticeId)
  if (!notice || !(await isReader(db, notice, userId, clock()))) throw new ApiError('not_found')
  return notice
}
