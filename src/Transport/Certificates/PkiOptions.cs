namespace Gateway.Transport.Certificates;

/// <summary>The settings <c>Pki:*</c> for certificates.</summary>
public sealed record PkiOptions
{
    /// <summary>The folder of <see cref="PkiStore"/>, relative to the working directory.</summary>
    public string Path { get; init; } = "pki";

    /// <summary>Accept the certificate of every client. Default false.</summary>
    public bool AutoTrust { get; init; }

    /// <inheritdoc cref="CertificateValidatorOptions.AcceptUnknownRevocation"/>
    public bool AcceptUnknownRevocation { get; init; }

    /// <inheritdoc cref="CertificateValidatorOptions.AcceptMissingKeyUsage"/>
    public bool AcceptMissingKeyUsage { get; init; }

    /// <inheritdoc cref="CertificateValidatorOptions.AcceptMissingDataEncipherment"/>
    public bool AcceptMissingDataEncipherment { get; init; }

    /// <summary>The newest refused certificates that stay in <c>rejected/certs</c>. Default 200.</summary>
    public int MaxRejectedCertificates { get; init; } = 200;
}
