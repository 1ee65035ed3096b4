import { can } from "../../api/session.ts";
import { Page } from "../../parts/Page.tsx";
import { Tabs } from "../../parts/Tabs.tsx";
import { BrokerForm } from "./BrokerForm.tsx";
import { PubSubTab } from "./PubSubTab.tsx";
import { TestForm } from "./TestForm.tsx";
import { UpstreamsTab } from "./UpstreamsTab.tsx";

export default function UpstreamsPage() {
  const tests = can("testUpstreams")
    ? [
        { id: "test", title: "Test an upstream", show: () => <TestForm /> },
        { id: "broker", title: "Test a broker", show: () => <BrokerForm /> },
      ]
    : [];
  return (
    <Page title="Upstreams and PubSub">
      <Tabs
        label="Where data comes from and goes to"
        tabs={[
          { id: "upstreams", title: "Upstreams", show: () => <UpstreamsTab /> },
          { id: "pubsub", title: "PubSub", show: () => <PubSubTab /> },
          ...tests,
        ]}
      />
    </Page>
  );
}
