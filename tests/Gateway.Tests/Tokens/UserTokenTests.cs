using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Tests.Hosting;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Microsoft.AspNetCore.Builder;

namespace Gateway.Tests.Tokens;

/// <summary>Tokens as user tokens of OPC UA: a client and a whole gateway, over sockets.</summary>
public sealed class UserTokenTests : IAsyncLifetime, IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("tokens-").FullName;
    private readonly TokenIssuer _issuer = new();
    private readonly UaClient _client = new(new ClientOptions { ConnectTimeout = Patience.Limit });
    private WebApplication _gateway = null!;

    private static DateTimeOffset Now => TimeProvider.System.GetUtcNow();

    public async Task InitializeAsync()
    {
        var keys = Path.Combine(_folder, "keys.json");
        await File.WriteAllTextAsync(keys, _issuer.Jwks);
        _gateway = Composition.Build(
        [
            $"--Pki:Path={_folder}", "--OpcUa:SecurityPolicies:0=None",
            .. TokenIssuer.Options($"--Jwt:KeysPath={keys}"),
        ]);
        await _gateway.StartAsync();
    }

    public async Task DisposeAsync() => await _gateway.DisposeAsync();

    public void Dispose()
    {
        _client.Dispose();
        _issuer.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Session_RightToken_RolesOfTheToken()
    {
        await using var watcher = await ConnectAsync(_issuer.Sign(Now));
        await using var worker = await ConnectAsync(_issuer.Sign(Now, roles: "plant:operate"));

        Assert.Equal(StatusCodes.BadUserAccessDenied, await WriteAsync(watcher));
        Assert.Equal(StatusCode.Good, await WriteAsync(worker));
    }

    [Fact]
    public async Task Session_WrongToken_Rejected()
    {
        foreach (var (token, status) in new[]
        {
            (_issuer.Sign(Now, seconds: -60), StatusCodes.BadIdentityTokenRejected),
            (_issuer.Sign(Now, audience: "urn:other"), StatusCodes.BadIdentityTokenRejected),
            (_issuer.Confuse(_issuer.Sign(Now)), StatusCodes.BadIdentityTokenRejected),
            ("junk", StatusCodes.BadIdentityTokenRejected),
            (_issuer.Sign(Now, roles: "nothing"), StatusCodes.BadUserAccessDenied),
        })
        {
            var error = await Assert.ThrowsAsync<ServiceException>(() => ConnectAsync(token));

            Assert.Equal(status, error.Status.Code);
        }
    }

    /// <summary>A token that lives for some seconds more, by the skew alone: then the session is anonymous, until its
    /// client shows the next one.</summary>
    [Fact]
    public async Task Session_TokenExpires_AnonymousUntilTheNextOne()
    {
        await using var session = await ConnectAsync(_issuer.Sign(Now, seconds: -25, roles: "plant:operate"));
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(100));
        var status = StatusCode.Good;
        while (!status.IsBad)
        {
            status = await WriteAsync(session);
            await look.WaitForNextTickAsync(patience.Token);
        }

        Assert.Equal(StatusCodes.BadUserAccessDenied, status);
        await session.ActivateAsync(ClientIdentity.IssuedToken(_issuer.Sign(Now, roles: "plant:operate")));
        Assert.Equal(StatusCode.Good, await WriteAsync(session));
    }

    private Task<ClientSession> ConnectAsync(string token) => _client.ConnectAsync(new ConnectSettings
    {
        EndpointUrl = $"opc.tcp://127.0.0.1:{_gateway.Get<UaTcpOptions>().EndPoint.Port}",
        SecurityPolicyUri = SecurityPolicies.None.Uri,
        Identity = ClientIdentity.IssuedToken(token),
        // The token itself is encrypted for the certificate that the gateway shows.
        AllowInsecureCredentials = true,
    }).AsTask();

    private static async Task<StatusCode> WriteAsync(ClientSession session)
    {
        var response = await session.InvokeAsync<WriteRequest, WriteResponse>(new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue
                {
                    NodeId = new NodeId("Int16", 2),
                    AttributeId = (uint)AttributeId.Value,
                    Value = new DataValue(new Variant((short)7)),
                },
            ],
        });
        return response.Results![0];
    }
}
