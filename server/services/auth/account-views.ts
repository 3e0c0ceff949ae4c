// Views of a session and of a passkey for their owner.
import type { PasskeyView } from '#contract/accounts/passkeys.ts'
import type { SessionView } from '#contract/accounts/sessions.ts'
import type { Passkey } from '#server/store/accounts/passkeys.ts'
import type { Session } from '#server/store/accounts/sessions.ts'
import { deviceOf } from './device-name.ts'

/** @param current id of the session of the request, if it has one */
export function sessionView(session: Session, current?: string): SessionView {
  const { id, place, ip, method } = session
  return {
    id,
    device: deviceOf(session.device),
    place,
    ip,
    method,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    current: id === current,
  }
}

export function passkeyView({ id, name, backedUp, createdAt, lastUsedAt }: Passkey): PasskeyView {
  return {
    id,
    name,
    backed_up: backedUp,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }
}
