// The address in an advertising email by which its recipient withdraws the consent.
import { API_BASE } from '#contract/paths.ts'

/** Where an advertising email is unsubscribed: `/api/notice-emails/{user id}.{mac}`. */
export const UNSUBSCRIBE_PATH = `${API_BASE}/notice-emails`

interface Macs {
  mac(purpose: 'unsubscribe', text: string): string
  isMac(purpose: 'unsubscribe', text: string, mac: string): boolean
}

export const unsubscribeUrl = (secrets: Macs, publicUrl: string, userId: string): string =>
  `${publicUrl}${UNSUBSCRIBE_PATH}/${userId}.${secrets.mac('unsubscribe', userId)}`

/** The person of an address; undefined for one that this server has not made. */
export function unsubscribed(secrets: Macs, token: string): string | undefined {
  const [userId = '', mac = ''] = token.split('.')
  return secrets.isMac('unsubscribe', userId, mac) ? userId : undefined
}
