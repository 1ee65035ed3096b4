using System.Globalization;
using Gateway.Mqtt;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;

namespace Gateway.PubSub.Trials;

/// <summary>Connects to a broker once, under a name of its own, so that no connection that runs is taken over, and says
/// of each step what came of it. It publishes nothing and leaves no session behind. Thread-safe.</summary>
public static class BrokerTrial
{
    private const string Ok = "ok";
    private const string Fault = "fault";
    private const string Skipped = "skipped";
    private const string NotTried = "Not tried.";

    /// <summary>For both halves of the connecting, so that the answer says which of them took too long.</summary>
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(8);

    private static readonly string[] Steps = ["reach", "tls", "login", "limits"];

    /// <summary>All that is wrong with the options, before anything is tried.</summary>
    public static IReadOnlyList<string> Check(ConnectionOptions options)
    {
        var errors = new OptionErrors("broker");
        options.Validate(errors, [], "gateway", hasKeyServices: false);
        errors.Demand(options.Url is null || options.IsMqtt, nameof(options.Address), "expected mqtt:// or mqtts://");
        return errors.All.Count > 0 ? errors.All : ClientOf(options).Validate("broker");
    }

    /// <param name="options">Without a fault.</param>
    /// <param name="connect">See <see cref="MqttClient.Connect"/>.</param>
    /// <param name="time">Of the deadlines.</param>
    /// <param name="cancellation">Ends the try.</param>
    public static async Task<IReadOnlyList<BrokerTrialStep>> TryAsync(
        ConnectionOptions options, Func<string, int, CancellationToken, ValueTask<Stream>> connect, TimeProvider time,
        CancellationToken cancellation)
    {
        var since = time.GetTimestamp();
        var came = new TaskCompletionSource<MqttStateChange>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var client = new MqttClient(ClientOf(options), time) { Connect = connect };
        client.StateChanged += change =>
        {
            if (change.State != MqttClientState.Connecting)
                came.TrySetResult(change);
        };
        client.Start();
        var change = await came.Task.WaitAsync(cancellation).ConfigureAwait(false);
        return Explain(options, change, time.GetElapsedTime(since));
    }

    private static MqttClientOptions ClientOf(ConnectionOptions options)
    {
        var client = BrokerClients.Describe(options, $"gateway-test-{Guid.NewGuid():N}");
        return client with
        {
            CleanStart = true,
            Limits = client.Limits with { ConnectDeadline = Deadline, ConnAckDeadline = Deadline },
        };
    }

    private static IReadOnlyList<BrokerTrialStep> Explain(
        ConnectionOptions options, MqttStateChange change, TimeSpan took)
    {
        var isTls = options.Url!.Scheme == "mqtts";
        var failed = FailedStepOf(change, isTls);
        return
        [
            .. Steps.Select((name, i) =>
                i < failed ? new BrokerTrialStep(
                    name, name == "tls" && !isTls ? Skipped : Ok, PassedWords(name, isTls), "",
                    i == failed - 1 ? took : default)
                : i > failed ? new BrokerTrialStep(name, Skipped, NotTried, "", default)
                : name == "limits" ? LimitsOf(options, change.Broker!)
                : new BrokerTrialStep(
                    name, Fault, Sentence(change.Words), RemedyOf(change, isTls), took)),
        ];
    }

    private static int FailedStepOf(MqttStateChange change, bool isTls) => change.Fault switch
    {
        MqttFault.None => 3,
        MqttFault.ConnectFailed or MqttFault.ConnectTimeout => 0,
        MqttFault.TlsFailed or MqttFault.CertificateRejected => 1,
        // In TLS 1.3 a broker says only behind the handshake that it wants a certificate of ours.
        MqttFault.SocketFailed when isTls => 1,
        _ => 2,
    };

    private static string PassedWords(string step, bool isTls) => step switch
    {
        "reach" => "The broker answers.",
        "tls" => isTls ? "TLS is there, and the broker's certificate is trusted." : "No TLS: the address is mqtt://.",
        _ => "The broker lets the gateway in.",
    };

    private static BrokerTrialStep LimitsOf(ConnectionOptions options, MqttBrokerLimits broker)
    {
        var words = string.Create(
            CultureInfo.InvariantCulture,
            $"Quality of service up to {(int)broker.MaximumQos}, messages up to {broker.MaxPacketSizeBytes:N0} bytes, "
            + $"retained messages {(broker.RetainAvailable ? "kept" : "not kept")}.");
        if ((int)broker.MaximumQos < options.Qos)
            return new BrokerTrialStep(
                "limits", Fault, words,
                "The broker takes no acknowledged messages: set Qos to 0, or change the broker.", default);
        return broker.RetainAvailable
            ? new BrokerTrialStep("limits", Ok, words, "", default)
            : new BrokerTrialStep(
                "limits", Fault, words,
                "Who subscribes later gets neither metadata nor status: let the broker keep retained messages.",
                default);
    }

    private static string RemedyOf(MqttStateChange change, bool isTls) => change.Fault switch
    {
        MqttFault.ConnectFailed or MqttFault.ConnectTimeout =>
            "Check the host, the port and the firewalls between.",
        MqttFault.CertificateRejected =>
            "Give the authority of the broker's certificate as CaPath, and its name as the host of Address.",
        MqttFault.TlsFailed or MqttFault.SocketFailed when isTls =>
            "Check that the port is one of TLS, and whether the broker wants a certificate of the gateway "
            + "(CertificatePath and KeyPath).",
        MqttFault.Refused => change.Reason switch
        {
            MqttReasonCode.BadUserNameOrPassword or MqttReasonCode.NotAuthorized =>
                "Check User and Password, and what the broker allows this user.",
            MqttReasonCode.UnsupportedProtocolVersion => "Try the other MqttVersion.",
            MqttReasonCode.ClientIdentifierNotValid => "The broker wants certain names of clients: set ClientId.",
            _ => "Look into the log of the broker.",
        },
        MqttFault.ConnAckTimeout or MqttFault.ClosedByBroker or MqttFault.ClosedInPacket or MqttFault.MalformedPacket
            or MqttFault.ProtocolError or MqttFault.UnknownPacketType or MqttFault.PacketTooLarge =>
            "Check that the port is one of MQTT: with TLS the address begins with mqtts://.",
        _ => "Look into the log of the broker.",
    };

    private static string Sentence(string phrase) =>
        string.Create(CultureInfo.InvariantCulture, $"{char.ToUpperInvariant(phrase[0])}{phrase[1..]}.");
}
