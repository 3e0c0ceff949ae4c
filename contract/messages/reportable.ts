// Messages of a person that the viewer may report, also after a block.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'

/**
 * The newest messages of a person to the viewer that can be reported: those that the viewer sees, and those that a block or
 * a deletion has hidden within the last 30 days. Empty for everyone else.
 */
export const listReportableMessages = endpoint({
  name: 'listReportableMessages',
  method: 'GET',
  path: '/conversations/:user_id/reportable',
  audience: 'member',
  summary: '通報できるメッセージ',
  params: v.object({ user_id: id }),
  reply: v.object({
    messages: v.array(
      v.object({
        id,
        sent_at: instant,
        /** Its beginning; '' for images or videos alone. */
        excerpt: v.string(),
        media_count: v.number(),
      }),
    ),
  }),
  errors: ['unauthenticated'],
})
