using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;
using Gateway.Transport.Certificates;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Services;

/// <summary>The server's certificate is replaced between a client's steps.</summary>
public sealed class ReplacedCertificateTests : IDisposable
{
    private readonly ServerFixture _fixture = new();
    private readonly ApplicationCertificate _old = TestCertificates.Server;
    private readonly ApplicationCertificate _new = TestCertificates.NextServer;

    public void Dispose() => _fixture.Dispose();

    /// <summary>The client compares with the certificate that its channel is for.</summary>
    [Fact]
    public async Task CreateSession_OnAChannelOfBefore_AnswersWithItsCertificate()
    {
        var client = _fixture.Connect(SecurityPolicies.Basic256Sha256, own: _old);
        _fixture.Own.Replace(_new);
        var request = client.NewSession();

        var response = await client.CreateSessionAsync(request);
        var discovered = await client.CallAsync<GetEndpointsResponse>(
            new GetEndpointsRequest { EndpointUrl = "opc.tcp://here:4840" });

        Assert.Equal(_old.Der, response.ServerCertificate);
        Assert.All(response.ServerEndpoints!, one => Assert.Equal(_old.Der, one.ServerCertificate));
        Assert.All(discovered.Endpoints!, one => Assert.Equal(_new.Der, one.ServerCertificate));
        Assert.True(client.Channel.Policy.VerifyAsymmetric(
            _old.Der, [.. request.ClientCertificate!, .. request.ClientNonce!], response.ServerSignature.Signature!));
    }

    /// <summary>Clients sign the one or the other.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ActivateSession_ComesBackOnANewChannel_SameSession(bool signsTheNewOne)
    {
        var before = _fixture.Connect(SecurityPolicies.Basic256Sha256, own: _old);
        var created = await before.CreateSessionAsync();
        await before.ActivateAsync();
        _fixture.Own.Replace(_new);
        var after = _fixture.Connect(SecurityPolicies.Basic256Sha256, own: _new);
        after.Take(created);
        after.ServerNonce = before.ServerNonce;
        after.SignsFor = signsTheNewOne ? _new : _old;

        var response = await after.CallAsync<ActivateSessionResponse>(after.NewActivation());

        Assert.Equal(StatusCode.Good, response.ResponseHeader.ServiceResult);
    }
}
