// Every endpoint of cases, decisions, appeals and templates.
import { answerAppeal, decideCase, getCase, leaveCase, listCases, takeCase, undoDecision } from './cases.ts'
import { listOwnDecisions, readDecision, sendAppeal } from './decisions.ts'
import { listTemplates, removeTemplate, saveTemplate } from './templates.ts'

export const moderationEndpoints = [
  listCases,
  getCase,
  takeCase,
  leaveCase,
  decideCase,
  undoDecision,
  answerAppeal,
  listTemplates,
  saveTemplate,
  removeTemplate,
  listOwnDecisions,
  readDecision,
  sendAppeal,
] as const
