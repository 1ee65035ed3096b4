using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;
using static Gateway.Codec.Types.StandardIds.Variables;

namespace Gateway.Server.Tests.ServerObject;

public sealed class ServiceLevelTests : IDisposable
{
    private readonly ServerFixture _fixture = new(
        options => options with { Limits = options.Limits with { MaxSessions = 12 } });

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task ServiceLevel_SessionsFillUp_FallsBelowHealthyAndComesBack()
    {
        var clients = new List<TestClient>();
        for (var i = 0; i < 10; i++)
            clients.Add(await _fixture.ConnectAsync());
        Assert.Equal(255, await ReadAsync(clients[0]));

        _fixture.Time.Advance(TimeSpan.FromSeconds(10));
        Assert.InRange(await ReadAsync(clients[0]), 1, 199);
        Assert.Equal(_fixture.Server.Counters.ServiceLevel, await ReadAsync(clients[0]));

        foreach (var client in clients.Skip(1))
            await client.CallAsync<CloseSessionResponse>(new CloseSessionRequest());
        _fixture.Time.Advance(TimeSpan.FromSeconds(30));
        Assert.InRange(await ReadAsync(clients[0]), 200, 255);

        await clients[0].CallAsync<CloseSessionResponse>(new CloseSessionRequest());
        _fixture.Time.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(255, _fixture.Server.Counters.ServiceLevel);
    }

    private static async Task<int> ReadAsync(TestClient client)
    {
        var response = await client.CallAsync<ReadResponse>(new ReadRequest
        {
            NodesToRead =
            [
                new ReadValueId { NodeId = new NodeId(Server_ServiceLevel), AttributeId = (uint)AttributeId.Value },
            ],
        });
        return response.Results![0].Value.AsInt32();
    }
}
