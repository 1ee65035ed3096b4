using Gateway.AddressSpace.Hosting;
using Gateway.Host.Configuration;
using Gateway.Publish;
using Gateway.Server;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;

namespace Gateway.Host.Hosting;

/// <summary>Logs the sources of the configuration, the loaded parts, and warnings for the operator.</summary>
internal sealed partial class StartReport(
    ConfigurationReport configuration,
    OpcUaOptions opcUa,
    DemoOptions demo,
    HttpOptions http,
    PkiOptions pki,
    PkiStore store,
    PkiLock pkiLock,
    ApplicationCertificate certificate,
    LoadedAddressSpace addressSpace,
    TransportLimits transport,
    ServerLimits server,
    PublishLimits publishing,
    ILogger<StartReport> logger)
{
    private readonly ILogger _logger = logger;

    public void Write()
    {
        TellWhereItReads();
        Warn();
    }

    private void TellWhereItReads()
    {
        foreach (var file in configuration.Files)
            LogConfigurationFile(file);
        if (!configuration.Files.Any(IsOperators))
            LogNoConfigurationFile(Environment.CurrentDirectory);
        foreach (var warning in configuration.Warnings)
            LogUnusedKey(warning);
        LogPki(store.Root);
        if (pkiLock.IsShared)
            LogSharedPki(store.Root, certificate.ApplicationUri);
        if (opcUa.IsApplicationUriGiven && opcUa.ApplicationUri != certificate.ApplicationUri)
            LogOtherUri(opcUa.ApplicationUri, certificate.ApplicationUri, store.Root);
    }

    /// <summary>Of the working directory, or wherever Config:Path says; the program's own is always there.</summary>
    private static bool IsOperators(string file)
    {
        var folder = Path.GetDirectoryName(file);
        return folder == Environment.CurrentDirectory ||
            folder != Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory);
    }

    private void Warn()
    {
        if (demo.IsDemo)
            LogDemo();
        else if (pki.AutoTrust)
            LogAutoTrust();
        if (http.AllowInsecureLogin)
            LogInsecureLogin();
        if (pki.AcceptUnknownRevocation)
            LogCheckIsOff("AcceptUnknownRevocation", "of authorities without a current revocation list");
        if (pki.AcceptMissingKeyUsage)
            LogCheckIsOff("AcceptMissingKeyUsage", "which do not say what their key is for");
        if (pki.AcceptMissingDataEncipherment)
            LogCheckIsOff("AcceptMissingDataEncipherment", "whose key usage lacks dataEncipherment");
        foreach (var result in addressSpace.NodeSets)
            LogNodeSet(result.File, result.Nodes, result.Warnings.Count);
        if (transport.MaxConnections <= server.MaxSessions)
            LogFewConnections(transport.MaxConnections, server.MaxSessions);
        if (publishing.MaxPublishRequestsPerSession <= publishing.MaxSubscriptionsPerSession)
            LogFewPublishRequests(publishing.MaxPublishRequestsPerSession, publishing.MaxSubscriptionsPerSession);
    }
}
