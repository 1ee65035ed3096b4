using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates;

public sealed partial class ApplicationCertificateStore
{
    [LoggerMessage(
        EventId = 1110, Level = LogLevel.Information,
        Message = "Made the application certificate {Thumbprint} for {ApplicationUri} in {Folder}")]
    private partial void LogCreated(string thumbprint, string applicationUri, string folder);

    [LoggerMessage(
        EventId = 1111, Level = LogLevel.Information,
        Message = "Application certificate {Thumbprint} for {ApplicationUri}, valid until {NotAfter:u}")]
    private partial void LogLoaded(string thumbprint, string applicationUri, DateTime notAfter);

    [LoggerMessage(
        EventId = 1112, Level = LogLevel.Warning,
        Message = "The application certificate {Thumbprint} expires on {NotAfter:u}, in {Days} days. Put a new "
            + "certificate into {CertificateFolder} and its key into {KeyFolder}")]
    private partial void LogExpiring(
        string thumbprint, DateTimeOffset notAfter, int days, string certificateFolder, string keyFolder);

    [LoggerMessage(
        EventId = 1113, Level = LogLevel.Error,
        Message = "The application certificate {Thumbprint} expired on {NotAfter:u}: clients refuse it. Put a new "
            + "certificate into {CertificateFolder} and its key into {KeyFolder}")]
    private partial void LogExpired(
        string thumbprint, DateTimeOffset notAfter, string certificateFolder, string keyFolder);

    [LoggerMessage(EventId = 1114, Level = LogLevel.Warning, Message = "{File} holds no certificate and is ignored")]
    private partial void LogIgnored(string file);

    [LoggerMessage(
        EventId = 1115, Level = LogLevel.Warning,
        Message = "The private key {File} could be read by others; it is now mode 0600")]
    private partial void LogKeyProtected(string file);

    [LoggerMessage(
        EventId = 1116, Level = LogLevel.Warning,
        Message = "The private key {File} can be read by others and its mode cannot be changed: make it 0600")]
    private partial void LogKeyUnprotected(string file);
}
