using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Memory;

/// <summary>Writes of arrays of empty DataValues: a byte each on the wire, 56 in memory.</summary>
internal sealed class DecodeBombAttack : Attack
{
    private const int Rounds = 3;
    private const int ElementsOfArray = 1_000_000;

    /// <summary>MaxDecodedBytes, and the messages of all connections.</summary>
    private const double PromisedMiB = 128;

    public override string Name => "decode-bomb";

    public override string Summary =>
        "8 connections, each with Writes of 15 MB of empty DataValues: refused before they are made.";

    public override string Rules => "R02, R04, R40";

    public override async Task RunAsync(AttackContext context)
    {
        var connections = context.Pick(full: 8, small: 2);
        var arrays = context.Pick(full: 15, small: 4);
        var target = new WireTarget(context.Run.Url);
        var results = new List<StatusCode>();
        await MemoryWatch.RunAsync(context, PromisedMiB + (connections * arrays), async () =>
        {
            var all = await Task.WhenAll(Enumerable.Range(0, connections).Select(number =>
                BombAsync(context, target, number, arrays)));
            results.AddRange(all.SelectMany(one => one));
        });
        context.Report.Add("bombs", results.Count);
        context.Report.AddFault("bombs that were not refused with a fault", results.Count(result =>
            result.CodeBits is not (StatusCodes.BadEncodingLimitsExceeded or StatusCodes.BadServerTooBusy)));
    }

    private static async Task<StatusCode[]> BombAsync(AttackContext context, WireTarget target, int number, int arrays)
    {
        using var session = await BareSession.OpenAsync(target, context.Run.Url, number, context.Cancellation);
        var value = new WriteValue
        {
            NodeId = new NodeId(2256),
            AttributeId = (uint)AttributeId.Value,
            Value = new DataValue(Variant.FromArray(BuiltInType.DataValue, new DataValue[ElementsOfArray])),
        };
        var message = session.Encode(new WriteRequest { NodesToWrite = [.. Enumerable.Repeat(value, arrays)] });
        var results = new StatusCode[Rounds];
        for (var i = 0; i < Rounds; i++)
        {
            await session.SendAsync(message, isWhole: true, context.Cancellation);
            results[i] = await session.ResultAsync(context.Cancellation);
        }

        return results;
    }
}
