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
        X509Certificate2Collection own = [];
        try
        {
            foreach (var file in new[] { tls.CaFile, tls.CertificateFile, tls.KeyFile })
            {
                if (file is not null && !MqttTlsOptions.IsReadable(file))
                    throw new IOException($"'{file}' is missing, empty, or larger than 1 MiB");
            }

            if (tls is { CertificateFile: not null, KeyFile: not null })
                own = OwnOf(tls.CertificateFile, tls.KeyFile);
            await secured.AuthenticateAsClientAsync(OptionsOf(tls, host, own), cancellation).ConfigureAwait(false);
            return secured;
        }
        catch (Exception e) when (
            e is AuthenticationException or CryptographicException or IOException or ArgumentException
                or UnauthorizedAccessException)
        {
            await secured.DisposeAsync().ConfigureAwait(false);
            throw new MqttConnectException(
                isRejected ? MqttFault.CertificateRejected : MqttFault.TlsFailed, inner: e);
        }
        finally
        {
            // The handshake is over: a key handle an attempt would wait for the collector.
            foreach (var certificate in own)
                certificate.Dispose();
        }
    }

    /// <summary>Our certificate with its key, and behind it those of the authorities between.</summary>
    private static X509Certificate2Collection OwnOf(string certificateFile, string keyFile)
    {
        X509Certificate2Collection own = [X509Certificate2.CreateFromPemFile(certificateFile, keyFile)];
        var all = new X509Certificate2Collection();
        all.ImportFromPemFile(certificateFile);
        foreach (var certificate in all)
        {
            if (certificate.RawDataMemory.Span.SequenceEqual(own[0].RawDataMemory.Span))
                certificate.Dispose();
            else
                own.Add(certificate);
        }

        return own;
    }

    private static SslClientAuthenticationOptions OptionsOf(
        MqttTlsOptions tls, string host, X509Certificate2Collection own)
    {
        // Without downloads: the peer's certificate must not choose an address that we ask.
        var policy = new X509ChainPolicy
        {
            RevocationMode = X509RevocationMode.NoCheck,
            DisableCertificateDownloads = true,
        };
        if (tls.CaFile is not null)
        {
            policy.TrustMode = X509ChainTrustMode.CustomRootTrust;
            policy.CustomTrustStore.ImportFromPemFile(tls.CaFile);
        }

        var options = new SslClientAuthenticationOptions
        {
            TargetHost = tls.ServerName ?? host,
            CertificateChainPolicy = policy,
            EnabledSslProtocols = SslProtocols.Tls12 | SslProtocols.Tls13,
            AllowRenegotiation = false,
        };
        if (own.Count > 0)
        {
            X509Certificate2Collection between = [.. own.Skip(1)];
            options.ClientCertificateContext = SslStreamCertificateContext.Create(own[0], between, offline: true);
        }

        return options;
    }
}
