using System.Diagnostics;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Transport.Security;
using Gateway.Transport.Tracing;
using Xunit.Abstractions;

namespace Gateway.Bytes;

/// <summary>Tracing allocates nothing for a request that is not traced: while it is off, and while it is on and the
/// request is not sampled.</summary>
public sealed class TracingTests(ITestOutputHelper output) : IDisposable
{
    private readonly ActivityListener _listener = new()
    {
        ShouldListenTo = static source => source.Name == RequestTracing.SourceName,
        Sample = static (ref ActivityCreationOptions<ActivityContext> _) =>
            ActivitySamplingResult.AllDataAndRecorded,
    };

    public void Dispose() => _listener.Dispose();

    [Fact]
    public async Task Read_NotTraced_AllocatesAsWithoutTracing()
    {
        ActivitySource.AddActivityListener(_listener);
        var off = await BytesAsync(TracingOptions.Off);
        var none = await BytesAsync(new TracingOptions { IsOn = true, SampleRatio = 0 });
        var all = await BytesAsync(new TracingOptions { IsOn = true, SampleRatio = 1 });

        output.WriteLine($"off {off} B, not sampled {none} B, sampled {all} B a Read");
        Assert.InRange(off, 0, 1);
        Assert.InRange(none - off, double.MinValue, 1);
        Assert.True(all > 100, "the sampled ones show that the others were decided about");
    }

    private static async Task<double> BytesAsync(TracingOptions tracing)
    {
        await using var server = MemoryServer.Start(tracing);
        using var client = server.Connect();
        client.Open(SecurityPolicies.None, MessageSecurityMode.None);
        client.CreateSession();
        client.Activate();
        var read = client.Encode(new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = new NodeId(1, 1), AttributeId = (uint)AttributeId.Value }],
        });
        client.Exchange(read);
        return Allocations.OfThousand(() => client.Exchange(read)) / 1000.0;
    }
}
