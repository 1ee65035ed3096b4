using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Connections;

/// <summary>TLS on an open connection. The broker's certificate must lead to the given authority or to one of the
/// system's, be in date, and carry the name. Errors: CertificateRejected, TlsFailed. The files are read at each
/// attempt, so that renewed ones are used.</summary>
internal static class BrokerTls
{
    /// <exception cref="MqttConnectException">With the fault.</exception>
    public static async Task<Stream> SecureAsync(
        Stream stream, MqttTlsOptions tls, string host, CancellationToken cancellation)
    {
        var isRejected = false;
        var secured = new SslStream(stream, leaveInnerStreamOpen: false, (_, _, _, errors) =>
        {
            isRejected = errors != SslPolicyErrors.None;
            return !isRejected;
        });
        try
        {
            await secured.AuthenticateAsClientAsync(OptionsOf(tls, host), cancellation).ConfigureAwait(false);
            return secured;
        }
        catch (Exception e) when (
            e is AuthenticationException or CryptographicException or IOException or ArgumentException)
        {
            await secured.DisposeAsync().ConfigureAwait(false);
            throw new MqttConnectException(
                isRejected ? MqttFault.CertificateRejected : MqttFault.TlsFailed, inner: e);
        }
    }

    private static SslClientAuthenticationOptions OptionsOf(MqttTlsOptions tls, string host)
    {
        var options = new SslClientAuthenticationOptions { TargetHost = tls.ServerName ?? host };
        if (tls.CaFile is not null)
        {
            var policy = new X509ChainPolicy
            {
                TrustMode = X509ChainTrustMode.CustomRootTrust,
                RevocationMode = X509RevocationMode.NoCheck,
            };
            policy.CustomTrustStore.ImportFromPemFile(tls.CaFile);
            options.CertificateChainPolicy = policy;
        }

        if (tls is { CertificateFile: not null, KeyFile: not null })
        {
            var own = X509Certificate2.CreateFromPemFile(tls.CertificateFile, tls.KeyFile);
            options.ClientCertificateContext = SslStreamCertificateContext.Create(own, null, offline: true);
        }

        return options;
    }
}
