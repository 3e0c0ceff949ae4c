// The table of states and acts of a notice.
import { expect, test } from 'vitest'
import { noticeStates } from '#contract/notices/notice-states.ts'
import { after, changeable, isShown, type NoticeStep, publishProblem } from './state.ts'

const steps = [
  'schedule',
  'unschedule',
  'publish',
  'begin',
  'stop',
  'resume',
  'finish',
  'withdraw',
] as const satisfies readonly NoticeStep[]

test('each state allows these acts alone', () => {
  const table = noticeStates.map((state) => [
    state,
    steps.flatMap((step) => (after(state, step) ? [`${step} → ${after(state, step)}`] : [])),
  ])
  expect(Object.fromEntries(table)).toEqual({
    draft: ['schedule → scheduled', 'publish → publishing'],
    scheduled: ['schedule → scheduled', 'unschedule → draft', 'publish → publishing', 'begin → publishing'],
    publishing: ['stop → stopped', 'finish → published', 'withdraw → withdrawn'],
    stopped: ['resume → publishing', 'withdraw → withdrawn'],
    published: ['withdraw → withdrawn'],
    withdrawn: [],
  })
})

test('readers see a notice from its publication to its withdrawal, while its words alone may change', () => {
  expect(noticeStates.map((it) => [it, isShown(it), changeable(it)])).toEqual([
    ['draft', false, 'everything'],
    ['scheduled', false, 'everything'],
    ['publishing', true, 'words'],
    ['stopped', true, 'words'],
    ['published', true, 'words'],
    ['withdrawn', false, 'nothing'],
  ])
})

test('an empty notice is not published, and advertising not without the sender whom the law demands', () => {
  const operator = { name: '株式会社とどけ', address: '大阪市北区1-2-3', email: 'info@todoke.example' }
  const notice = { content: [{}], isAdvertising: true }
  expect(publishProblem(notice, operator)).toBeUndefined()
  for (const missing of ['name', 'address', 'email']) {
    const unnamed = { ...operator, [missing]: null }
    expect(publishProblem(notice, unnamed)).toEqual({ is_advertising: 'required' })
    expect(publishProblem({ ...notice, isAdvertising: false }, unnamed)).toBeUndefined()
  }
  expect(publishProblem({ content: [], isAdvertising: false }, operator)).toEqual({ body: 'required' })
})
