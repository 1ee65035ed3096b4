using System.Net;
using Gateway.Host.Files;
using Gateway.Host.Tls;

namespace Gateway.Host.Configuration;

/// <summary>Reads <c>Http:*</c>.</summary>
internal static class HttpReader
{
    private const int DefaultPort = 8080;

    public static HttpOptions Read(SettingsReader settings)
    {
        var endPoint = EndPointReader.Read(settings, "Http", DefaultPort, IPAddress.Loopback);
        if (endPoint.Port == settings.Quietly(OpcUaReader.ReadEndPoint).Port)
            settings.Error("Http:Port", "is the same as OpcUa:Port");
        return new HttpOptions
        {
            EndPoint = endPoint,
            Tls = Tls(settings),
            AllowInsecureLogin = settings.Flag("Http:AllowInsecureLogin", false),
            CorsOrigins = Origins(settings),
        };
    }

    /// <summary>Exact ones: a browser does not take all of them together with a login.</summary>
    private static string[] Origins(SettingsReader settings)
    {
        const string Key = "Http:Cors:Origins";
        var origins = settings.List(Key);
        foreach (var origin in origins)
        {
            if (origin.Contains('*', StringComparison.Ordinal))
                settings.Error(Key, $"'{origin}' is not one origin: name each, a login goes to no others");
            else if (OriginOf(origin) is not { } right)
                settings.Error(Key, $"'{origin}' is no origin: write https://host or https://host:port");
            else if (right != origin)
                settings.Error(Key, $"'{origin}' is not as browsers send it: write {right}");
        }

        return origins;
    }

    private static string? OriginOf(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out var uri) && uri.Scheme is ("http" or "https") && uri.Host.Length > 0
            ? uri.GetLeftPart(UriPartial.Authority)
            : null;

    private static TlsOptions? Tls(SettingsReader settings)
    {
        const string Certificate = "Http:Tls:CertificatePath";
        const string Key = "Http:Tls:KeyPath";
        var options = new TlsOptions(settings.Text(Certificate), settings.Text(Key));
        if (options.CertificatePath.Length == 0 && options.KeyPath.Length == 0)
            return null;
        var missing = options.CertificatePath.Length == 0 ? Certificate : options.KeyPath.Length == 0 ? Key : null;
        if (missing is not null)
        {
            settings.Error(missing, "is empty: HTTPS needs a certificate and its key");
            return null;
        }

        try
        {
            WatchedFiles<TlsIdentity>.Load(options.Paths, TlsOptions.MaxFileBytes, TlsIdentity.Read);
        }
        catch (Exception error) when (FileProblem.Is(error))
        {
            var isKey = (error is IOException or UnauthorizedAccessException) && File.Exists(options.CertificatePath);
            var path = Path.GetFullPath(isKey ? options.KeyPath : options.CertificatePath);
            settings.Error(isKey ? Key : Certificate, $"'{path}' cannot be used: {error.Message}");
        }

        return options;
    }
}
