// A post's open title and introduction: what they may be, and their fields.
import { MAX_INTRODUCTION, MAX_POST_TITLE } from '#contract/limits.ts'
import { asLines, lengthOf, type TextProblem, textProblem } from '#contract/text/text-rule.ts'
import { fieldSentence } from '#src/domain/api/errors-text.ts'

export interface OpenTexts {
  title: string
  introduction: string
}

/** Problems of the two, as the contract has them. */
export function openTextProblems({ title, introduction }: OpenTexts): {
  title?: TextProblem
  introduction?: TextProblem
} {
  const ofTitle = textProblem(title.trim(), { max: MAX_POST_TITLE, shape: 'name' })
  const lines = asLines(introduction).trim()
  const ofIntroduction = textProblem(lines, { max: MAX_INTRODUCTION, shape: 'lines' })
  return { ...(ofTitle && { title: ofTitle }), ...(ofIntroduction && { introduction: ofIntroduction }) }
}

const notesOf = (text: string, max: number, problem: TextProblem | undefined) => ({
  optional: '任意',
  error: problem && fieldSentence(problem, max),
  count: { now: lengthOf(text, max), max },
})

/** Labels, counts and errors of their fields. */
export function openTextFields(texts: OpenTexts) {
  const problems = openTextProblems(texts)
  return {
    title: {
      label: 'タイトル',
      hint: '購入や加入の前の人にも表示され、検索でも見つかります。',
      ...notesOf(texts.title, MAX_POST_TITLE, problems.title),
    },
    introduction: {
      label: '紹介文',
      ...notesOf(texts.introduction, MAX_INTRODUCTION, problems.introduction),
    },
  }
}
