import { Page } from "../../parts/Page.tsx";
import { Tabs } from "../../parts/Tabs.tsx";
import { Connections } from "./Connections.tsx";
import { Sessions } from "./Sessions.tsx";
import { Subscriptions } from "./Subscriptions.tsx";

export default function ClientsPage() {
  return (
    <Page title="Clients">
      <Tabs
        label="What is shown of the clients"
        tabs={[
          { id: "sessions", title: "Sessions", show: () => <Sessions /> },
          { id: "connections", title: "Connections", show: () => <Connections /> },
          { id: "subscriptions", title: "Subscriptions", show: () => <Subscriptions /> },
        ]}
      />
    </Page>
  );
}
