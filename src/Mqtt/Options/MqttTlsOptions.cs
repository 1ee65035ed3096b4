namespace Gateway.Mqtt.Options;

/// <summary>TLS to the broker. The broker's certificate is always checked.</summary>
public sealed record MqttTlsOptions
{
    /// <summary>PEM file with the authorities that may sign the broker's certificate; null: the system's.</summary>
    public string? CaFile { get; init; }

    /// <summary>PEM file with our certificate; null: none.</summary>
    public string? CertificateFile { get; init; }

    /// <summary>PEM file with its private key.</summary>
    public string? KeyFile { get; init; }

    /// <summary>The name that the certificate must have; null: the host.</summary>
    public string? ServerName { get; init; }

    /// <summary>Of a PEM file: hundreds of authorities.</summary>
    internal const long MaxFileBytes = 1024 * 1024;

    /// <summary>A file of a size that PEM files have. A device or a pipe has none: reading it never ends.</summary>
    internal static bool IsReadable(string file) =>
        new FileInfo(file) is { Exists: true, Length: > 0 and <= MaxFileBytes };

    internal IEnumerable<string> Validate(string path)
    {
        if ((CertificateFile is null) != (KeyFile is null))
            yield return $"{path}: CertificateFile and KeyFile belong together";
        foreach (var (name, file) in new[]
                 {
                     (nameof(CaFile), CaFile), (nameof(CertificateFile), CertificateFile), (nameof(KeyFile), KeyFile),
                 })
        {
            if (file is not null && !File.Exists(file))
                yield return $"{path}:{name}: there is no file '{file}'";
            else if (file is not null && !IsReadable(file))
                yield return $"{path}:{name}: '{file}' is no file of 1 byte to 1 MiB";
        }
    }
}
