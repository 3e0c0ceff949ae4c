// Every endpoint of cases, decisions, appeals, templates, inquiries, holds and blocked words.
import { inquiryEndpoints } from '#contract/inquiries/endpoints.ts'
import { answerAppeal, decideCase, getCase, leaveCase, listCases, takeCase, undoDecision } from './cases.ts'
import { listOwnDecisions, readDecision, sendAppeal } from './decisions.ts'
import { listHeldComments, reviewHeldComment } from './held-comments.ts'
import { listOwnHolds } from './holds.ts'
import { addOwnWord, listOwnWords, removeOwnWord } from './own-words.ts'
import { listPersonContent, openCase, readPersonCases } from './person-cases.ts'
import { listTemplates, removeTemplate, saveTemplate } from './templates.ts'
import { addOperatorWord, listOperatorWords, removeOperatorWord } from './words.ts'

export const moderationEndpoints = [
  listCases,
  getCase,
  takeCase,
  leaveCase,
  decideCase,
  undoDecision,
  answerAppeal,
  openCase,
  readPersonCases,
  listPersonContent,
  listTemplates,
  saveTemplate,
  removeTemplate,
  listOwnDecisions,
  readDecision,
  sendAppeal,
  listOwnHolds,
  listHeldComments,
  reviewHeldComment,
  listOperatorWords,
  addOperatorWord,
  removeOperatorWord,
  listOwnWords,
  addOwnWord,
  removeOwnWord,
  ...inquiryEndpoints,
] as const
