import { useRejections } from "../../api/rejections.ts";
import type { Rejection } from "../../api/types.ts";
import { moment } from "../../format/times.ts";
import { Remedy } from "../../parts/Remedy.tsx";
import { causeOf } from "../admission/causes.ts";
import { hostOf } from "./addresses.ts";

const SHOWN = 5;

interface Props {
  address: string | undefined;
  certificate: string | undefined;
}

/** The last rejections of one client, by its certificate where that is shown, else by its address. */
export function RejectionsOf({ address, certificate }: Props) {
  const rejections = useRejections();
  const own = (rejections.data?.decisions ?? []).filter((one) => isOf(one, address, certificate)).slice(0, SHOWN);
  if (own.length === 0) return null;
  return (
    <>
      <h3>Rejected lately</h3>
      <ul class="list">
        {own.map((one) => (
          <li key={own.indexOf(one)}>
            <span class="muted small">{moment(one.at)}</span> {causeOf(one.reason)}. <Remedy text={one.advice} />
          </li>
        ))}
      </ul>
    </>
  );
}

function isOf(one: Rejection, address: string | undefined, certificate: string | undefined): boolean {
  if (certificate && one.thumbprint) return one.thumbprint === certificate;
  return address !== undefined && hostOf(one.address) === hostOf(address);
}
