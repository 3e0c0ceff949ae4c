// Publishes to a person's open apps that what they may do changed.
import { personChannel } from '#contract/realtime/channels.ts'
import type { UnitOfWork } from '#server/services/transaction/unit-of-work.ts'

export const publishRights = ({ publish }: Pick<UnitOfWork, 'publish'>, userId: string): void =>
  publish({ channel: personChannel(userId), event: 'rights.changed', data: {} })
