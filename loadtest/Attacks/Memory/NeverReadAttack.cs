using System.Net.Sockets;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Memory;

/// <summary>Clients that ask for large answers, one behind the other, and read none.</summary>
/// <param name="name">See <see cref="Attack.Name"/>.</param>
/// <param name="clientsAtFullSize">How many there are.</param>
internal sealed class NeverReadAttack(string name, int clientsAtFullSize) : Attack
{
    private const int ValueBytes = 1_000_000;
    private const int ValuesOfAnswer = 14;
    private const int Requests = 8;
    private const int SmallBudgetMiB = 64;
    private const int FullBudgetMiB = 512;

    /// <summary>WriteDeadline, and some; a small run shares its cores with other tests.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan SmallPatience = TimeSpan.FromSeconds(30);

    public override string Name => name;

    public override string Summary =>
        $"{clientsAtFullSize} clients ask for 112 MB each and read nothing: ended, within the budget.";

    public override string Rules => "R04, R10, R43";

    public override Plant PlantOf(AttackSize size) => new()
    {
        Arguments = size == AttackSize.Full
            ? []
            : [$"--Limits:MemoryBudgetBytes={SmallBudgetMiB * 1024 * 1024}"],
    };

    public override async Task RunAsync(AttackContext context)
    {
        var clients = context.Pick(clientsAtFullSize, small: 8);
        var target = new WireTarget(context.Run.Url);
        var node = context.Run.Sessions.Node("nsu=urn:gateway:simulator;s=ByteString", "attack");
        await WriteAsync(context, node);
        var stayed = 0;
        await MemoryWatch.RunAsync(context, context.Pick(FullBudgetMiB, SmallBudgetMiB), async () =>
        {
            var all = await Task.WhenAll(Enumerable.Range(0, clients).Select(number =>
                AskAsync(context, target, node, number)));
            stayed = all.Count(isThere => isThere);
        });
        await WriteAsync(context, node, 1);
        context.Report.Add("clients that never read", clients);
        context.Report.AddFault("clients that the gateway did not end", stayed);
    }

    private static async Task WriteAsync(AttackContext context, NodeId node, int bytes = ValueBytes)
    {
        await using var session = await context.Run.Sessions.OpenAsync(context.Cancellation);
        var response = await session.InvokeAsync<WriteRequest, WriteResponse>(
            new WriteRequest
            {
                NodesToWrite =
                [
                    new WriteValue
                    {
                        NodeId = node,
                        AttributeId = (uint)AttributeId.Value,
                        Value = new DataValue(Variant.FromByteString(new byte[bytes])),
                    },
                ],
            },
            context.Cancellation);
        if (response.Results![0].IsBad)
            throw new InvalidOperationException($"the large value cannot be written: {response.Results[0]}");
        await session.CloseAsync(cancellation: context.Cancellation);
    }

    /// <returns>True: it still exists.</returns>
    private static async Task<bool> AskAsync(AttackContext context, WireTarget target, NodeId node, int address)
    {
        using var session = await BareSession.OpenAsync(target, context.Run.Url, address, context.Cancellation);
        var value = new ReadValueId { NodeId = node, AttributeId = (uint)AttributeId.Value };
        var message = session.Encode(new ReadRequest { NodesToRead = [.. Enumerable.Repeat(value, ValuesOfAnswer)] });
        try
        {
            for (var i = 0; i < Requests; i++)
                await session.SendAsync(message, isWhole: true, context.Cancellation);
            await Task.Delay(context.IsFull ? Patience : SmallPatience, context.Cancellation);
            // A connection that was reset says so at the next write.
            await session.SendAsync(message, isWhole: true, context.Cancellation);
            await Task.Delay(TimeSpan.FromMilliseconds(200), context.Cancellation);
            await session.SendAsync(message, isWhole: true, context.Cancellation);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
