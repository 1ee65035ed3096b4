using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;

namespace Gateway.Mqtt.Tests.RealPeers;

/// <summary>TLS to a mosquitto, with certificates that the test makes.</summary>
public sealed class MosquittoTlsTests
{
    [PeerTheory]
    [InlineData(MqttVersion.V311)]
    [InlineData(MqttVersion.V5)]
    public async Task Tls_CertificateOfTheGivenAuthority_Connected(MqttVersion version)
    {
        using var folder = new TestFolder();
        using var authority = new TestCertificates(folder);
        await using var broker = await StartAsync(folder, authority.Issue("server"), authority);

        await using var client = await PeerClient.ConnectedAsync(
            broker.Options(version) with { Tls = new MqttTlsOptions { CaFile = authority.CaFile } });
        await client.SubscribeAsync("a");

        Assert.True((await client.PublishAsync("a", new string('x', 200_000))).IsSuccess);
        Assert.Equal(200_002, (await client.MessageAsync()).Length);
    }

    /// <summary>Another authority's, the system's alone, and a certificate for another name.</summary>
    [PeerTheory]
    [InlineData("other", null)]
    [InlineData(null, null)]
    [InlineData("ca", "plant.example")]
    public async Task Tls_CertificateThatDoesNotPass_RefusedAndNothingIsSent(string? trusted, string? name)
    {
        using var folder = new TestFolder();
        using var authority = new TestCertificates(folder);
        using var other = new TestCertificates(folder, "other");
        await using var broker = await StartAsync(folder, authority.Issue("server", name), authority);
        var caFile = trusted is null ? null : folder[$"{trusted}.pem"];

        await using var client = new PeerClient(broker.Options(MqttVersion.V5) with
        {
            Tls = new MqttTlsOptions { CaFile = caFile },
            Password = "secret",
        });
        client.Client.Start();

        Assert.Equal(MqttFault.CertificateRejected, (await client.StateAsync(MqttClientState.Refused)).Fault);
        Assert.Equal((0, 0), (client.Client.Counters.BytesSent, client.Client.Counters.Connections));
    }

    [PeerTheory]
    [InlineData("plant.example")]
    public async Task Tls_NameGiven_IsChecked(string name)
    {
        using var folder = new TestFolder();
        using var authority = new TestCertificates(folder);
        await using var broker = await StartAsync(folder, authority.Issue("server", name), authority);

        await using var client = await PeerClient.ConnectedAsync(broker.Options(MqttVersion.V5) with
        {
            Tls = new MqttTlsOptions { CaFile = authority.CaFile, ServerName = name },
        });

        Assert.True((await client.PublishAsync("a", "x")).IsSuccess);
    }

    [PeerTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Tls_BrokerDemandsACertificate_OnlyWithOne(bool hasOne)
    {
        using var folder = new TestFolder();
        using var authority = new TestCertificates(folder);
        var own = authority.Issue("client", "client");
        await using var broker = await StartAsync(
            folder, authority.Issue("server"), authority, "require_certificate true");

        await using var client = new PeerClient(broker.Options(MqttVersion.V5) with
        {
            Tls = new MqttTlsOptions
            {
                CaFile = authority.CaFile,
                CertificateFile = hasOne ? own.Certificate : null,
                KeyFile = hasOne ? own.Key : null,
            },
        });
        client.Client.Start();

        if (hasOne)
        {
            await client.StateAsync(MqttClientState.Connected);
            Assert.True((await client.PublishAsync("a", "x")).IsSuccess);
            return;
        }

        // In TLS 1.3 the broker's refusal comes behind our half of the handshake.
        var lost = await client.StateAsync(MqttClientState.Lost);
        Assert.Contains(
            lost.Fault, new[] { MqttFault.TlsFailed, MqttFault.SocketFailed, MqttFault.ClosedByBroker });
    }

    private static Task<MosquittoBroker> StartAsync(
        TestFolder folder, (string Certificate, string Key) server, TestCertificates authority,
        params string[] lines) =>
        MosquittoBroker.StartAsync(
            folder,
            [$"cafile {authority.CaFile}", $"certfile {server.Certificate}", $"keyfile {server.Key}", .. lines]);
}
