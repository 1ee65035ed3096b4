using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Checks;

namespace Gateway.Loadtest.Clients;

/// <summary>Writes counters to variables, each value its predecessor plus one, a batch a call. Owner: one task.
///</summary>
internal sealed class CountingWriter(
    ClientSession session, NodeId[] nodes, int batch, double first, WriteLog? log = null)
{
    private readonly double[] _values = Filled(nodes.Length, first);
    private readonly WriteRequest _request = new()
    {
        NodesToWrite = new WriteValue[Math.Min(batch, nodes.Length)],
    };

    private int _next;
    private long _writes;
    private long _bad;

    public int BatchSize => _request.NodesToWrite!.Length;

    public long Writes => Volatile.Read(ref _writes);

    /// <summary>Values whose result was not Good.</summary>
    public long Bad => Volatile.Read(ref _bad);

    /// <summary>Null: the round trip is not measured.</summary>
    public volatile Histogram? RoundTrip;

    /// <summary>By node, the last value written.</summary>
    public IReadOnlyList<double> LastValues => _values;

    public async Task WriteAsync()
    {
        var time = TimeProvider.System;
        var since = time.GetTimestamp();
        var values = _request.NodesToWrite!;
        for (var i = 0; i < values.Length; i++)
        {
            var node = _next;
            _next = (_next + 1) % nodes.Length;
            var value = ++_values[node];
            log?.Mark(node, value, since);
            values[i] = new WriteValue
            {
                NodeId = nodes[node],
                AttributeId = (uint)AttributeId.Value,
                Value = new DataValue(new Variant(value), StatusCodes.Good, default, default, 0),
            };
        }

        var response = await session.InvokeAsync<WriteRequest, WriteResponse>(_request, CancellationToken.None);
        RoundTrip?.Add(time.GetElapsedTime(since).TotalMilliseconds);
        long bad = Math.Abs(values.Length - (response.Results?.Length ?? 0));
        foreach (var result in response.Results ?? [])
            bad += result.IsGood ? 0 : 1;
        Volatile.Write(ref _bad, _bad + bad);
        Volatile.Write(ref _writes, _writes + 1);
    }

    private static double[] Filled(int length, double value)
    {
        var values = new double[length];
        Array.Fill(values, value);
        return values;
    }
}
