using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;
using Gateway.Mqtt.Tests.Packets;
using Gateway.Testing;

namespace Gateway.Mqtt.Tests.Clients;

public sealed class ConnectionTests
{
    [Theory]
    [InlineData(false, "E0 00")]
    [InlineData(true, "E0 01 04")]
    public async Task DISCONNECT_ByUs_LeavesBehindWhatWaits(bool sendWill, string expected)
    {
        var (house, link) = await ClientHouse.ConnectedAsync();
        await using var _ = house;
        var publishing = house.PublishAsync("a");

        var ending = house.Client.DisconnectAsync(sendWill);
        await link.AcknowledgeAsync(await link.ReadAsync());

        await ending.WaitAsync(Patience.Limit);
        Assert.True((await publishing).IsSuccess);
        await link.ExpectAsync(expected);
        Assert.Null(await link.TryReadAsync());
        Assert.Equal(MqttClientState.Closed, house.Client.State);
    }

    [Fact]
    public async Task CONNACK_AssignsAnIdentifier_KeptOverReconnects()
    {
        var (house, link) = await ClientHouse.ConnectedAsync(
            "20 09 00 00 06 12 0003 'abc'",
            options => options with { ClientId = "", SessionExpiry = TimeSpan.FromMinutes(1) });
        await using var _ = house;
        Assert.Equal("abc", house.Client.ClientId);
        link.Abort();

        link = await house.Broker.AcceptAsync();
        var connect = await link.ReadAsync();

        Assert.True(connect.Body.AsSpan().EndsWith(Hex.Of("0003 'abc'")));
        Assert.Equal(0, connect.Body[7] & 0x02);
    }

    [Fact]
    public async Task States_OfALife_ComeInOrder()
    {
        await using var house = new ClientHouse();
        var states = new List<MqttClientState>();
        house.Client.StateChanged += change => states.Add(change.State);
        Assert.Equal(MqttClientState.Idle, house.Client.State);
        house.Client.Start();
        var link = await house.Broker.WelcomeAsync();
        await house.Client.ConnectedAsync().WaitAsync(Patience.Limit);
        link.Shut();
        await house.StateAsync(MqttClientState.Lost);
        await house.Broker.WelcomeAsync();
        await house.StateAsync(MqttClientState.Connected);

        await house.Client.DisconnectAsync().WaitAsync(Patience.Limit);

        Assert.Equal(
            [
                MqttClientState.Connecting, MqttClientState.Connected, MqttClientState.Lost,
                MqttClientState.Connecting, MqttClientState.Connected, MqttClientState.Closed,
            ],
            states);
        Assert.Equal(2, house.Client.Counters.Connections);
    }

    [Fact]
    public async Task Listener_Throws_ClientGoesOn()
    {
        await using var house = new ClientHouse();
        house.Client.StateChanged += _ => throw new InvalidOperationException();
        house.Client.Start();

        await house.Broker.WelcomeAsync();
        await house.StateAsync(MqttClientState.Connected);

        Assert.InRange(house.Client.Counters.HandlerFaults, 1, 2);
    }

    [Fact]
    public async Task DisconnectAsync_WhileConnecting_Ends()
    {
        await using var house = new ClientHouse();
        house.Client.Start();
        var link = await house.Broker.AcceptAsync();
        await link.ReadAsync();

        await house.Client.DisconnectAsync().WaitAsync(Patience.Limit);

        Assert.Equal(MqttClientState.Closed, house.Client.State);
        Assert.Null(await link.TryReadAsync());
    }

    [Fact]
    public void Options_Invalid_TellAllErrorsWithTheirKeys()
    {
        var options = new MqttClientOptions
        {
            Host = "",
            Version = MqttVersion.V311,
            Password = "p",
            SessionExpiry = TimeSpan.FromMinutes(1),
            Tls = new MqttTlsOptions { CaFile = "/missing", KeyFile = "/missing" },
            Will = new MqttWill { Topic = "a/#" },
            Limits = new MqttLimits { MaxInFlight = 0, PingDeadline = TimeSpan.Zero },
        };

        var errors = options.Validate("PubSub");

        string[] keys =
        [
            "PubSub:Host", "PubSub:Password", "PubSub:SessionExpiry", "PubSub:Tls:", "PubSub:Tls:CaFile",
            "PubSub:Will:Topic", "PubSub:Limits:MaxInFlight", "PubSub:Limits:PingDeadline",
        ];
        Assert.All(keys, key => Assert.Contains(errors, error => error.StartsWith(key, StringComparison.Ordinal)));
        Assert.Throws<ArgumentException>(() => new MqttClient(options) { Connect = MqttClient.OpenSocketAsync });
        Assert.Empty(new MqttClientOptions { Host = "h" }.Validate("PubSub"));
    }

    /// <summary>Reading a device would never end, and whoever may have a broker tried names the file.</summary>
    [Theory]
    [InlineData("/dev/zero")]
    [InlineData("/dev/null")]
    [InlineData("/proc/self/environ")]
    public void Options_FileThatIsNone_IsAnError(string file)
    {
        var options = new MqttClientOptions
        {
            Host = "h",
            Tls = new MqttTlsOptions { CaFile = file, CertificateFile = file, KeyFile = file },
        };
        Assert.Equal(3, options.Validate("PubSub").Count(error => error.Contains(file, StringComparison.Ordinal)));
    }

    [Fact]
    public void Words_OfAllReasonsAndFaults_AreTheirOwn()
    {
        var reasons = Enum.GetValues<MqttReasonCode>().Select(reason => reason.Words()).ToList();
        var faults = Enum.GetValues<MqttFault>().Select(fault => fault.Words()).ToList();

        Assert.Equal(reasons.Count, reasons.Distinct().Count());
        Assert.Equal(faults.Count, faults.Distinct().Count());
    }
}
