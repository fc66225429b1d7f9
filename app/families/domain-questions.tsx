/** Further questions in the first step of families that are sold to a domain. */
export { TransferFields as DomainQuestions, type TransferView } from "./google/transfer-fields.tsx";
