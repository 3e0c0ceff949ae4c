// Suspends a person by a decision of staff, without a browser.
import { admin } from './people.ts'
import { type Api, apiOf } from './api.ts'

/**
 * Reports a person and decides the report.
 * @param url the address of the server
 * @param reader who reports
 * @param text what the decision tells the person
 */
export async function suspend(url: string, reader: Api, id: string, text: string): Promise<void> {
  const staff = await apiOf(url, admin)
  await reader.call('PUT', `/reports/person/${id}`, { reason: 'impersonation' })
  await staff.call('POST', '/auth/validation', { password: admin.password })
  const { cases } = (await staff.call('GET', '/admin/cases?kind=person')) as {
    cases: { id: string; target_id: string }[]
  }
  const found = `/admin/cases/${cases.find((it) => it.target_id === id)?.id}`
  await staff.call('POST', `${found}/take`, {})
  await staff.call('GET', found)
  const measures = { rule: 'impersonation', content: null, person: 'suspend', days: 7 }
  const texts = { text_to_person: text, text_to_reporters: '対応しました。' }
  const body = { seen: 1, decision: { is: 'act', ...measures, ...texts } }
  const { case: decided } = (await staff.call('POST', `${found}/decide`, body)) as {
    case?: { state: string }
  }
  if (decided?.state !== 'decided') throw new Error('the person was not suspended')
}
