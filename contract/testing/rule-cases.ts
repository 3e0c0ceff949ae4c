// Good and bad values of every form rule, for all runtimes.
import type { RuleCases } from './rule-case.ts'
import { accountCases } from './rule-cases-accounts.ts'
import { numberCases } from './rule-cases-numbers.ts'
import { textCases } from './rule-cases-text.ts'

export const ruleCases: readonly RuleCases[] = [...textCases, ...numberCases, ...accountCases]
