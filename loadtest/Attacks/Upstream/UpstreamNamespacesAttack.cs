using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Loadtest.Attacks.Upstream;

/// <summary>An upstream with more namespaces than the gateway has indexes, one of which calls itself the standard's.
/// </summary>
internal sealed class UpstreamNamespacesAttack : UpstreamAttack
{
    /// <summary>The gateway's own, and one for the node that can be served.</summary>
    private const int MostNamespaces = 10;

    public override string Name => "upstream-namespaces";

    public override string Summary => "65,600 namespaces: none is taken that no node uses, and nothing becomes ns=0.";

    public override string Rules => "R42";

    public override Task PrepareAsync(AttackSize size, CancellationToken cancellation) =>
        AddAsync(new NamespacesScript(size == AttackSize.Full ? 65_600 : 3_000));

    public override Plant PlantOf(AttackSize size) => new()
    {
        Arguments = [.. Configure(0, "Many", Servers[0].Url, "SecurityPolicy=None")],
    };

    public override async Task RunAsync(AttackContext context)
    {
        await using var session = await context.Run.Sessions.OpenAsync(context.Cancellation);
        var before = context.Server.CpuSeconds();
        Arm();
        var served = await AwaitAsync(context, async () =>
            (await ReportAsync(context)).Any(one => one.State == "limited") ||
            (await NamespacesAsync(session, context)).Length > MostNamespaces);
        var cpu = context.Server.CpuSeconds() - before;
        var uris = await NamespacesAsync(session, context);
        var forged = await ReadNodeClassAsync(session, new NodeId(NamespacesScript.Forged), context);
        var own = Array.IndexOf(uris, "urn:hostile:namespace:1");
        var honest = await ReadNodeClassAsync(session, new NodeId(1, (ushort)Math.Max(0, own)), context);
        await LeaveAsync();
        context.Report.Add("namespaces of the gateway", uris.Length);
        context.Report.Add("CPU of the gateway meanwhile", cpu, "s");
        context.Report.AddFault("nodes forged into namespace 0", forged.IsGood ? 1 : 0);
        context.Report.AddFault("namespaces taken for nothing", Math.Max(0, uris.Length - MostNamespaces));
        context.Report.AddFault("good nodes not served", honest.IsGood && own > 0 ? 0 : 1);
        if (!served)
            context.Report.Fail("the upstream was not served, or is not told as limited");
    }

    private static async Task<string[]> NamespacesAsync(Client.ClientSession session, AttackContext context)
    {
        var values = await Clients.NodeReader.ReadAsync(
            session, [new NodeId(StandardIds.Variables.Server_NamespaceArray)], context.Cancellation);
        return values[0].Value.AsArray<string>() ?? [];
    }

    private static async Task<StatusCode> ReadNodeClassAsync(
        Client.ClientSession session, NodeId node, AttackContext context)
    {
        var request = new ReadRequest
        {
            TimestampsToReturn = TimestampsToReturn.Neither,
            NodesToRead = [new ReadValueId { NodeId = node, AttributeId = (uint)AttributeId.NodeClass }],
        };
        var response = await session.InvokeAsync<ReadRequest, ReadResponse>(request, context.Cancellation);
        return response.Results![0].Status;
    }
}
