// Sentences about refused messages: why, and whether sending again may succeed.
import type { FailureCode } from '#device/jobs/failure-code.ts'
import { errorText } from '#src/domain/api/errors-text.ts'

const refused: Partial<Record<FailureCode, string>> = {
  forbidden: 'この相手にはメッセージを送れません。',
  not_found: 'この相手か、返信先のメッセージが見つかりません。',
  conflict: '画像・動画がほかの投稿やメッセージで使われています。削除して、選び直してください。',
  unsupported_media: 'この形式のファイルは送信できません。別のファイルを選択してください。',
  bytes_missing: 'この端末からファイルが失われています。削除して、選び直してください。',
}

/** Why a message was refused. */
export const messageRefusal = (code: FailureCode): string => refused[code] ?? errorText[code]

/** Refusals that the same message would get again. */
const finals: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'invalid',
  'unsupported_media',
  'too_large',
  'conflict',
  'bytes_missing',
])

/** Whether sending a refused message again may succeed. */
export const mayResend = (code: FailureCode): boolean => !finals.has(code)
