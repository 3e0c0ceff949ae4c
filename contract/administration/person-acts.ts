// Reasons of acts on accounts, and proofs that begin a recovery of sign-in.

/** Why staff end sessions, or remove passkeys or a second factor. */
export const personActReasons = [
  'owner_asked',
  'identity_proven',
  'device_lost',
  'account_taken',
  'staff_changed',
] as const
export type PersonActReason = (typeof personActReasons)[number]

/** How a person who cannot sign in proved who they are. */
export const recoveryProofs = ['account_email', 'identity_check'] as const
export type RecoveryProof = (typeof recoveryProofs)[number]

/** `sent`: the link was sent. `confirmed`: it was opened, and the waiting time runs. The others are ends. */
export const recoveryStates = ['sent', 'confirmed', 'done', 'stopped', 'expired'] as const
export type RecoveryState = (typeof recoveryStates)[number]
