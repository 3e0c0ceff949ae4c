// Short words to the person, also before anybody listens.
import { expect, test } from 'vitest'
import { listenForToasts, toast, type Toast } from './toast.ts'

test('what is said before anybody listens is not lost, and keeps its time', () => {
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
