namespace Gateway.Host.Hosting;

internal sealed partial class StartReport
{
    [LoggerMessage(EventId = 8001, Level = LogLevel.Information, Message = "Configuration read from {File}")]
    private partial void LogConfigurationFile(string file);

    [LoggerMessage(
        EventId = 8002, Level = LogLevel.Information,
        Message = "There is no appsettings.json in the working directory {Folder}")]
    private partial void LogNoConfigurationFile(string folder);

    [LoggerMessage(EventId = 8003, Level = LogLevel.Warning, Message = "{Warning}")]
    private partial void LogUnusedKey(string warning);

    [LoggerMessage(EventId = 8004, Level = LogLevel.Information, Message = "The PKI folder is {Folder}")]
    private partial void LogPki(string folder);

    [LoggerMessage(
        EventId = 8005, Level = LogLevel.Warning,
        Message = "Another gateway runs on the PKI folder {Folder}: both show one certificate and one ApplicationUri, "
            + "{ApplicationUri}, and clients take them for one. Give each a Pki:Path of its own")]
    private partial void LogSharedPki(string folder, string applicationUri);

    [LoggerMessage(
        EventId = 8006, Level = LogLevel.Warning,
        Message = "OpcUa:ApplicationUri is {Configured}, but the certificate below {Folder} has {Used}, which holds. "
            + "Move the files out of own/certs and own/private to have another certificate made")]
    private partial void LogOtherUri(string configured, string used, string folder);

    [LoggerMessage(
        EventId = 8007, Level = LogLevel.Warning,
        Message = "DEMO MODE: security policy None is offered, every client's certificate is accepted, and anonymous "
            + "users may write and call. Never on a plant's network: start without --demo")]
    private partial void LogDemo();

    [LoggerMessage(
        EventId = 8008, Level = LogLevel.Warning,
        Message = "Pki:AutoTrust is on: every client's certificate is accepted, whoever made it")]
    private partial void LogAutoTrust();

    [LoggerMessage(
        EventId = 8009, Level = LogLevel.Warning,
        Message = "Http:AllowInsecureLogin is on: passwords and tokens of other machines are taken in clear text")]
    private partial void LogInsecureLogin();

    [LoggerMessage(
        EventId = 8010, Level = LogLevel.Warning,
        Message = "Pki:{Key} is on: certificates {Which} are accepted, and each one that is gets a line here")]
    private partial void LogCheckIsOff(string key, string which);

    [LoggerMessage(
        EventId = 8011, Level = LogLevel.Information,
        Message = "Loaded {File}: {Nodes} nodes, {Warnings} references left out")]
    private partial void LogNodeSet(string file, int nodes, int warnings);

    [LoggerMessage(
        EventId = 8012, Level = LogLevel.Warning,
        Message = "Limits:MaxConnections ({Connections}) should be above Limits:MaxSessions ({Sessions}): the last " +
            "sessions cannot be reached by a new connection")]
    private partial void LogFewConnections(int connections, int sessions);

    [LoggerMessage(
        EventId = 8013, Level = LogLevel.Warning,
        Message = "Limits:MaxPublishRequestsPerSession ({Requests}) is not more than Limits:MaxSubscriptionsPerSession "
            + "({Subscriptions}): a session with that many subscriptions waits for some of their messages "
            + "(Part 4 §5.14.5). Raise the first or lower the second")]
    private partial void LogFewPublishRequests(int requests, int subscriptions);
}
