// Every endpoint of cases, decisions, appeals, templates and inquiries.
import { inquiryEndpoints } from '#contract/inquiries/endpoints.ts'
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
  ...inquiryEndpoints,
] as const
