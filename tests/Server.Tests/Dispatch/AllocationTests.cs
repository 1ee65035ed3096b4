using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Dispatch;

public sealed class AllocationTests : IDisposable
{
    private const int Rounds = 2000;

    private readonly ServerFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task Read_OneValueByNumericId_AllocatesNothing()
    {
        var client = await _fixture.ConnectAsync();
        Assert.Equal(0, MeasureBytes(client, new NodeId(2267), AttributeId.AccessLevel));
        Assert.Equal(0, MeasureBytes(client, new NodeId(2254), AttributeId.Value));
    }

    [Fact]
    public async Task Read_OneValueByStringId_AllocatesItsIdOnly()
    {
        var client = await _fixture.ConnectAsync();
        Assert.InRange(MeasureBytes(client, TestPlant.Int32, AttributeId.Value), 0, 200);
    }

    private long MeasureBytes(TestClient client, NodeId node, AttributeId attribute)
    {
        var message = TestClient.Encode(new ReadRequest
        {
            RequestHeader = new RequestHeader { AuthenticationToken = client.Token, TimeoutHint = 1000 },
            TimestampsToReturn = TimestampsToReturn.Both,
            NodesToRead = [new ReadValueId { NodeId = node, AttributeId = (uint)attribute }],
        });
        client.Link.Discards = true;
        Run(client, message);
        var before = GC.GetAllocatedBytesForCurrentThread();
        Run(client, message);
        return (GC.GetAllocatedBytesForCurrentThread() - before) / Rounds;
    }

    private void Run(TestClient client, byte[] message)
    {
        for (var i = 0u; i < Rounds; i++)
            _fixture.Server.OnMessage(client.Channel, i, message);
    }
}
