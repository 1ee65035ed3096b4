using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing.Loopback;
using Gateway.Transport.Security;
using Xunit.Abstractions;

namespace Gateway.Bytes;

/// <summary>What a connection costs the server on the heap, Kestrel's share among it, over a loopback socket. A bound
/// is half as much again as what was measured when it was written: it catches a leak of a buffer or a list a session,
/// not a change of a field.</summary>
public sealed class SessionTests(ITestOutputHelper output) : IAsyncLifetime
{
    private const int Rounds = 20;

    private SocketServer _server = null!;

    public static TheoryData<string, MessageSecurityMode, long> Policies => new()
    {
        { "None", MessageSecurityMode.None, 16 * 1024 },
        { "Basic256Sha256", MessageSecurityMode.SignAndEncrypt, 36 * 1024 },
        { "Aes128_Sha256_RsaOaep", MessageSecurityMode.SignAndEncrypt, 36 * 1024 },
        { "Aes256_Sha256_RsaPss", MessageSecurityMode.SignAndEncrypt, 36 * 1024 },
    };

    public async Task InitializeAsync() => _server = await SocketServer.StartAsync();

    public Task DisposeAsync() => _server.DisposeAsync().AsTask();

    [Theory]
    [MemberData(nameof(Policies))]
    public void Session_ConnectedActivatedAndClosed_ServerAllocatesAtMost(
        string policyName, MessageSecurityMode mode, long mostBytes)
    {
        SecurityPolicies.TryGetByName(policyName, out var policy);

        var bytes = ServerBytes.OfOne(Rounds, () => Connect(policy!, mode));

        output.WriteLine($"{policyName}: {bytes} B");
        Assert.InRange(bytes, 1, mostBytes);
    }

    [Fact]
    public void Discovery_GetEndpointsOnAnOpenChannel_ServerAllocatesAtMost12KiB()
    {
        EndpointDescription[] endpoints = [];

        var bytes = ServerBytes.OfOne(Rounds, () =>
        {
            using (var client = _server.Connect())
            {
                client.Open(SecurityPolicies.None, MessageSecurityMode.None);
                endpoints = client.GetEndpoints();
            }

            _server.AwaitConnections(0);
        });

        output.WriteLine($"Discovery: {bytes} B");
        Assert.Equal(7, endpoints.Length);
        Assert.InRange(bytes, 1, 12 * 1024);
    }

    private void Connect(SecurityPolicy policy, MessageSecurityMode mode)
    {
        using (var client = _server.Connect())
        {
            client.Open(policy, mode);
            client.CreateSession();
            client.Activate();
            var read = client.Call<ReadRequest, ReadResponse>(new ReadRequest
            {
                NodesToRead = [new ReadValueId { NodeId = new NodeId(1, 1), AttributeId = (uint)AttributeId.Value }],
            });
            Assert.Equal(StatusCode.Good, read.Results![0].Status);
            client.CloseSession();
        }

        _server.AwaitConnections(0);
    }
}
