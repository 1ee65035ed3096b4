using Gateway.Transport.Certificates;
using Gateway.Transport.Certificates.Inventory;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Hosting;

/// <summary>Registers the PKI folders, the gateway's own certificate and the checks of others'.</summary>
public static class PkiServices
{
    /// <summary>Needs <see cref="PkiOptions"/>, <see cref="ApplicationCertificateOptions"/>, <see
    /// cref="TransportLimits"/> and the <see cref="TimeProvider"/>. Errors: <see cref="InvalidOperationException"/>
    /// that begins with the key, when the store or the certificate is asked for.</summary>
    public static IServiceCollection AddPki(this IServiceCollection services) => services
        .AddSingleton(static of => MakeStore(
            of.GetRequiredService<PkiOptions>(), of.GetRequiredService<TimeProvider>(),
            of.GetRequiredService<ILoggerFactory>()))
        .AddSingleton<ApplicationCertificateStore>()
        .AddSingleton(static of => LoadCertificate(
            of.GetRequiredService<PkiOptions>(), of.GetRequiredService<ApplicationCertificateStore>(),
            of.GetRequiredService<ApplicationCertificateOptions>()))
        .AddSingleton<OwnCertificate>()
        .AddSingleton<CertificateValidators>()
        .AddSingleton<CertificateInventory>()
        .AddSingleton<CertificateUploads>()
        .AddSingleton<OwnCertificateReload>()
        .AddSingleton<OwnCertificateRenewal>();

    private static PkiStore MakeStore(PkiOptions options, TimeProvider time, ILoggerFactory loggers) => InFolder(
        options, () => new PkiStore(options.Path, time, loggers, options.MaxRejectedCertificates));

    private static ApplicationCertificate LoadCertificate(
        PkiOptions options, ApplicationCertificateStore store, ApplicationCertificateOptions certificate) =>
        InFolder(options, () => store.LoadOrCreate(certificate));

    private static T InFolder<T>(PkiOptions options, Func<T> make)
    {
        try
        {
            return make();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new InvalidOperationException(
                $"Pki:Path: '{Path.GetFullPath(options.Path)}' cannot be used: {error.Message}", error);
        }
        catch (InvalidOperationException error)
        {
            throw new InvalidOperationException($"Pki:Path: {error.Message}", error);
        }
    }
}
