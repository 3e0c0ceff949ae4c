// Toasts, also those added before a listener exists.
import { expect, test } from 'vitest'
import { listenForToasts, replacedBy, toast, type Toast } from './toast.ts'

test('a toast before the first listener is shown later, with its duration', () => {
  toast('投稿が完了しました。', 'success', 5000)
  toast('ログアウトしました。')
  const heard: Toast[] = []
  const stop = listenForToasts((it) => void heard.push(it))
  expect(heard).toEqual([
    { sentence: '投稿が完了しました。', type: 'success', ms: 5000 },
    { sentence: 'ログアウトしました。', type: 'default' },
  ])
  stop()
  toast('もう誰も聞いていません')
  expect(heard).toHaveLength(2)
})

test('a new toast replaces the earlier one, but an error stays until the next error', () => {
  const muted = { id: 'muted', type: 'success' } as const
  const failed = { id: 'failed', type: 'error' } as const
  expect(replacedBy('success', [muted])).toEqual(['muted'])
  expect(replacedBy('success', [failed, muted])).toEqual(['muted'])
  expect(replacedBy('error', [failed, muted])).toEqual(['failed', 'muted'])
})
