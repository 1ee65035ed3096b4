using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.PubSub.Options;

namespace Gateway.PubSub.Outputs;

/// <summary>The client of a broker, as a connection's options describe it.</summary>
internal static class BrokerClients
{
    public static MqttClientOptions Describe(ConnectionOptions options, string clientId) => new()
    {
        Host = options.Url!.DnsSafeHost,
        Port = Math.Max(0, options.Url.Port),
        Version = options.MqttVersion == "3.1.1" ? MqttVersion.V311 : MqttVersion.V5,
        ClientId = clientId,
        UserName = NullIfEmpty(options.User),
        Password = NullIfEmpty(options.Password),
        AllowPlainPassword = options.AllowInsecurePassword,
        Tls = options.Url.Scheme != "mqtts" ? null : new MqttTlsOptions
        {
            CaFile = NullIfEmpty(options.CaPath),
            CertificateFile = NullIfEmpty(options.CertificatePath),
            KeyFile = NullIfEmpty(options.KeyPath),
        },
    };

    private static string? NullIfEmpty(string text) => text.Length == 0 ? null : text;
}
