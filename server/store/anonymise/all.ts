// The rules of all tables of the database.
import { messagesRules } from './messages.ts'
import { moneyRules } from './money.ts'
import { peopleRules } from './people.ts'
import { postsRules } from './posts.ts'
import type { TableRules } from './rules.ts'

export const allRules: readonly TableRules[] = [
  ...peopleRules,
  ...postsRules,
  ...messagesRules,
  ...moneyRules,
]
