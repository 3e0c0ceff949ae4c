// Endpoints of payments, their history, receipts and operator tasks.
import { listPayments, listPaymentFilters } from './history.ts'
import { listIssuedDocuments } from './issued-documents.ts'
import { listOperatorTasks, closeOperatorTask, reconcileByAdmin } from './operator-tasks.ts'
import { getAllowance } from './allowance.ts'
import { beginPayment, getPayment, getPaymentReturn, readPaymentReturn } from './payments.ts'
import { getReceipt, issueReceipt } from './receipts.ts'
import { listSurplusCharges } from './surplus.ts'

export const paymentEndpoints = [
  beginPayment,
  getAllowance,
  getPayment,
  readPaymentReturn,
  getPaymentReturn,
  listOperatorTasks,
  closeOperatorTask,
  reconcileByAdmin,
  listPayments,
  listPaymentFilters,
  listSurplusCharges,
  getReceipt,
  issueReceipt,
  listIssuedDocuments,
] as const
