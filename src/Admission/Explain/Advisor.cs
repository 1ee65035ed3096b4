using Gateway.Admission.Stages;

namespace Gateway.Admission.Explain;

/// <summary>Turns a report into sentences that say which key to change, or whom to look at.</summary>
internal static class Advisor
{
    private const int MostAdvice = 12;
    private const int MostClients = 3;

    /// <summary>Channels that one client opens in a minute before it is called restless: a well-behaved one opens one
    /// and keeps it.</summary>
    private const int RestlessPerMinute = 20;

    private const double LowShare = 0.5;

    private const string DescriptorLimit =
        "the process's descriptor limit (LimitNOFILE, ulimit -n, the container's nofile)";

    /// <param name="report">The events.</param>
    /// <param name="limits">Those in force.</param>
    /// <param name="configured">As configured: more where the process has few descriptors.</param>
    public static IReadOnlyList<Advice> Advise(
        AdmissionReport report, IReadOnlyDictionary<string, object> limits,
        IReadOnlyDictionary<string, object> configured)
    {
        var advice = new List<Advice>();
        var refusals =
            from stage in report.Stages
            from shed in stage.LastFiveMinutes.Shed
            orderby shed.Value descending
            select (stage.Stage, Reason: shed.Key, Count: shed.Value);
        foreach (var (stage, reason, count) in refusals)
        {
            if (On(stage, reason, limits, configured) is { } text)
                advice.Add(new Advice(
                    stage, RefusalLimits.NameOf(stage, reason),
                    $"{ExplainText.Number(count)} refused at {ReasonTable.NameOf(stage)} in the last five minutes: "
                        + text));
        }
        advice.AddRange(OnClients(report));
        if (report.ConcurrencyShare < LowShare)
            advice.Add(new Advice(null, null,
                $"handshakes are held to {report.ConcurrencyShare:P0} of the processors so that live sessions get "
                + "their data on time: the machine is short of processors for what it is asked"));
        return advice.Count > MostAdvice ? advice[..MostAdvice] : advice;
    }

    /// <summary>Null for events that need no change: room made by design, a shutdown.</summary>
    public static string? On(
        AdmissionStage stage, RefusalReason reason, IReadOnlyDictionary<string, object> limits,
        IReadOnlyDictionary<string, object> configured)
    {
        var name = RefusalLimits.NameOf(stage, reason);
        var value = name is null ? "" : ExplainText.Value(limits.GetValueOrDefault(name));
        var wanted = name is null ? "" : ExplainText.Value(configured.GetValueOrDefault(name));
        var raise = $"raise `Limits:{name}` above {value}";
        var raiseWithDescriptors = value == wanted
            ? $"{raise}, and the process's descriptor limit with it"
            : $"raise {DescriptorLimit}: it lowers `Limits:{name}` from {wanted} to {value}";
        return reason switch
        {
            RefusalReason.MaxConnections when stage is AdmissionStage.HttpConnection =>
                $"{raiseWithDescriptors}, or find the client that holds requests open: all "
                + "connections have one under way",
            RefusalReason.MaxConnections =>
                $"{raiseWithDescriptors}, or move clients to another gateway: all "
                + "connections hold active sessions",
            RefusalReason.MaxConnectionsPerAddress =>
                $"{raise} if that address is a NAT or load balancer; else its client leaves connections open",
            RefusalReason.MaxConnectionsPerCertificate =>
                $"{raise}, or give each client a certificate of its own; else that client leaves channels open",
            RefusalReason.ConnectionRate =>
                $"{raise} if the machine has processors to spare in such a moment; those refused come back by "
                + "themselves",
            RefusalReason.ConnectionRatePerAddress =>
                $"{raise} if that address is a NAT or load balancer; else its client connects in a loop",
            RefusalReason.NoDescriptor =>
                $"raise {DescriptorLimit} well above `Limits:MaxConnections`",
            RefusalReason.QueueFull when stage is AdmissionStage.Connection =>
                $"{raise}: more clients came at once than may wait",
            RefusalReason.QueueFull => $"{raise}: more handshakes waited for a private key than may",
            RefusalReason.WaitedTooLong =>
                $"they waited {value} (`Limits:{name}`) for a handshake's turn and were told when to come back; more "
                + "processors serve more handshakes, and clients that keep their sessions need fewer",
            RefusalReason.GaveUp =>
                "they hung up before their turn came: give those clients a time-out of 10 s and more",
            RefusalReason.Recycled when stage is AdmissionStage.CreateSession =>
                $"sessions that were never activated made room at `Limits:{name}` ({value}): the busiest clients "
                + "below create sessions and leave them",
            RefusalReason.Recycled when stage is AdmissionStage.HttpConnection =>
                $"connections without a request made room at `Limits:{name}` ({value}) or at their address's cap: the "
                + "busiest addresses below open connections and leave them idle",
            RefusalReason.Recycled =>
                $"connections without a session made room at `Limits:{name}` ({value}): the busiest clients below "
                + "connect and leave it at that",
            RefusalReason.Silent =>
                $"they said nothing for {value} (`Limits:{name}`): a port scan, a load balancer's health check or a "
                + "broken client",
            RefusalReason.Reserved or RefusalReason.ReservedSubscriptions or RefusalReason.ReservedItems =>
                $"the last sixth of `Limits:{name}` ({value}) is kept for clients that hold little, and one client "
                + "holds more than a sixth: raise it if that client needs so much; else it leaves things open",
            RefusalReason.Evicted =>
                $"what vanished clients held made room at `Limits:{name}` ({value}): lower their session time-outs "
                + "and lifetimes, or raise it if those clients were about to come back",
            RefusalReason.PendingHandshakes =>
                "more handshakes or password checks came at once than are worked on: they come back by themselves",
            RefusalReason.LockedOut =>
                $"somebody got a password wrong more than {value} times (`Limits:{name}`): correct it at the client; "
                + "the audit log names user and address",
            RefusalReason.PendingRequests => $"{raise}, or let that client wait for its answers",
            RefusalReason.DecodeMemory => $"{raise}, or find the client that sends requests of many megabytes",
            RefusalReason.RequestRatePerAddress =>
                $"{raise} if that address is a proxy; else its client asks in a loop",
            RefusalReason.PublishRequests => $"{raise}, or let that client send fewer Publish requests",
            _ => OnSessions(reason, raise) ?? OnSubscriptions(reason, raise) ?? OnPeers(reason, raise, value) ??
                OnRights(reason),
        };
    }

    private static string? OnSubscriptions(RefusalReason reason, string raise) => reason switch
    {
        RefusalReason.MaxSubscriptions => $"{raise}, or find the client that leaves subscriptions behind",
        RefusalReason.MaxSubscriptionsPerSession => $"{raise}, or let that client use fewer subscriptions",
        RefusalReason.MaxMonitoredItems => $"{raise}, or find the client that monitors most",
        RefusalReason.MaxMonitoredItemsPerSubscription =>
            $"{raise}, or let that client spread its items over more subscriptions",
        RefusalReason.MaxMonitoredItemsPerSession => $"{raise}, or let that client monitor fewer nodes",
        RefusalReason.MaxSubscriptionsPerUser or RefusalReason.MaxMonitoredItemsPerUser =>
            $"{raise} if many clients share one user; else that user's client leaves subscriptions behind",
        RefusalReason.MaxSubscriptionsPerCertificate or RefusalReason.MaxMonitoredItemsPerCertificate =>
            $"{raise} if many clients share one certificate; else that client leaves subscriptions behind",
        RefusalReason.MaxQueuedValuesPerSession =>
            $"{raise}, or the same limit of a user, certificate or address, or let that client ask for shorter queues",
        RefusalReason.MaxDurableSubscriptions =>
            $"{raise} if the disk has room, or delete durable subscriptions whose clients do not come back",
        RefusalReason.MaxDurableMonitoredItems =>
            $"{raise} if the disk has room, or let clients use durable subscriptions for fewer nodes",
        RefusalReason.MaxHttpStreams => $"{raise}, or find the page that leaves streams open",
        RefusalReason.MaxHttpStreamsPerUser => $"{raise} if many pages share one user; else a page leaves streams open",
        RefusalReason.MaxHttpStreamsPerAddress =>
            $"{raise} if that address is a proxy or NAT; else its page leaves streams open",
        RefusalReason.MaxHttpWebSockets => $"{raise}, with MaxHttpConnections, or find the page that leaves them open",
        RefusalReason.MaxHttpWebSocketsPerAddress =>
            $"{raise} if that address is a proxy or NAT; else its page leaves WebSockets open",
        RefusalReason.MaxSubscriptionsPerAddress or RefusalReason.MaxMonitoredItemsPerAddress =>
            $"{raise} if that address is a NAT or load balancer; else its client leaves subscriptions behind",
        _ => null,
    };

    /// <summary>The gateway ended their connections.</summary>
    private static string? OnPeers(RefusalReason reason, string raise, string value) => reason switch
    {
        RefusalReason.Malformed =>
            "what came is not OPC UA over TCP, or not at that point, as the detail says: a port scan, a client of "
            + "another protocol, or a broken one",
        RefusalReason.MessageTooLarge =>
            $"{raise} if that client needs such messages (before a session is active "
            + "`Limits:MaxMessageSizeBeforeSessionBytes` holds); else let it ask for less at a time",
        RefusalReason.EndpointUrlInvalid =>
            $"correct the endpoint URL at the client: `opc.tcp://<host>:<port>`, at most {value} bytes "
            + "(`Limits:MaxEndpointUrlLengthBytes`)",
        RefusalReason.ChunkDeadline or RefusalReason.MessageDeadline =>
            $"{raise} if its network is that slow; else that client begins messages and does not finish them",
        RefusalReason.WriteDeadline =>
            $"{raise} if its network is that slow; else that client hangs: it took nothing of what was sent to it",
        RefusalReason.SendQueueFull => $"{raise}, or let that client read faster, or ask for less",
        RefusalReason.MemoryBudget =>
            $"{raise} if the machine has the memory, or find the clients that read slowly and ask for much",
        _ => null,
    };

    private static string? OnSessions(RefusalReason reason, string raise) => reason switch
    {
        RefusalReason.MaxSessionsPerCertificate =>
            $"{raise} if many clients share one certificate; else that client leaves sessions open",
        RefusalReason.MaxSessions => $"{raise}, or find the client that leaves sessions open",
        RefusalReason.MaxSessionsPerUser =>
            $"{raise} if many clients share one user; else that user's client leaves sessions open",
        RefusalReason.MaxSessionsPerAddress =>
            $"{raise} if that address is a NAT or load balancer; else its client leaves sessions open",
        RefusalReason.MaxSessionsPerSecureChannel => $"{raise}, or let that client reuse its session",
        _ => null,
    };

    /// <summary>No limit is behind these.</summary>
    private static string? OnRights(RefusalReason reason) => reason switch
    {
        RefusalReason.CertificateRefused =>
            "the detail names the certificate, the check and the file: if you know that client, move its file from "
            + "`rejected/certs` to `trusted/certs` of the PKI folder, or correct what the check says",
        RefusalReason.SecurityRefused =>
            "the client's signature, security policy or session does not fit: the detail and the audit log say "
            + "which; choose one of the offered endpoints at the client, and look for a wrong private key",
        RefusalReason.CredentialsRefused =>
            "correct user and password at the client or in `Users`; a user certificate belongs into "
            + "`trustedUser/certs` of the PKI folder or, as `CertificateThumbprint`, to a user",
        RefusalReason.AccessDenied =>
            "the user has not the role that this needs: `Observer` reads, `Operator` also writes and calls, "
            + "`Engineer` also configures, `SecurityAdmin` manages certificates and users (`Users:<n>:Roles`, "
            + "`Anonymous:Roles`)",
        _ => null,
    };

    private static IEnumerable<Advice> OnClients(AdmissionReport report)
    {
        var named = new HashSet<string>(StringComparer.Ordinal);
        var restless = report.Certificates
            .Where(client => client.AttemptsLastMinute >= RestlessPerMinute)
            .OrderByDescending(client => client.AttemptsLastMinute)
            .Take(MostClients);
        foreach (var client in restless)
        {
            named.Add(client.Address ?? "");
            var who = string.IsNullOrEmpty(client.Subject) ? client.Key : client.Subject;
            yield return new Advice(null, null,
                $"client {who} ({client.Address}) reconnects {client.AttemptsLastMinute} times a minute: it should "
                + "keep its session; look for what ends it in its own log and in the audit log here");
        }
        foreach (var address in report.Addresses)
        {
            if (address.FalseClaims > 0)
                yield return new Advice(null, null,
                    $"address {address.Key} named {address.FalseClaims} certificates that it could not sign for: a "
                    + "client with a wrong private key, or an attack");
        }
        var noisy = report.Addresses
            .Where(client => client.AttemptsLastMinute / Math.Max(1, client.VerifiedCertificates) >= RestlessPerMinute)
            .Where(client => !named.Contains(client.Key))
            .OrderByDescending(client => client.AttemptsLastMinute)
            .Take(MostClients);
        foreach (var address in noisy)
            yield return new Advice(null, null,
                $"address {address.Key} connects {address.AttemptsLastMinute} times a minute with "
                + $"{address.VerifiedCertificates} certificates: a client in a loop, a health check or a scan");
    }
}
