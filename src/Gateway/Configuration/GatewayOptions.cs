using Gateway.Admission;
using Gateway.Host.Auditing;
using Gateway.Host.Configuration.Upstreams;
using Gateway.Host.Tokens;
using Gateway.Publish;
using Gateway.Publish.Durable;
using Gateway.PubSub;
using Gateway.PubSub.Options;
using Gateway.Rest;
using Gateway.Server;
using Gateway.Sources.OpcUa;
using Gateway.Sources.Simulator;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Microsoft.Extensions.Options;

namespace Gateway.Host.Configuration;

/// <summary>The whole configuration as options, with a type for each part that needs them. Keys and defaults:
/// <c>appsettings.json</c>.</summary>
internal sealed class GatewayOptions
{
    private const double MaxShutdownSeconds = 3_600;

    /// <summary>The web server checks its rates once a second.</summary>
    private static readonly TimeSpan ShortestGracePeriod = TimeSpan.FromSeconds(1);

    private readonly OptionsSection<OpcUaOptions> _opcUa;
    private readonly OptionsSection<HttpOptions> _http;
    private readonly OptionsSection<JwtOptions> _jwt;
    private readonly OptionsSection<PubSubOptions> _pubSub;
    private readonly OptionsSection<OtlpOptions> _otlp;
    private readonly OptionsSection<AuditOptions> _audit;
    private readonly List<IOptionsSection> _sections;

    public GatewayOptions(ConfigurationLayers layers)
    {
        Layers = layers;
        _opcUa = Section(OpcUaReader.Read);
        _http = Section(HttpReader.Read);
        _jwt = Section(JwtReader.Read);
        _pubSub = Section(PubSubReader.Read);
        _otlp = Section(OtlpReader.Read);
        _audit = Section(ReadAudit);
        _sections =
        [
            Section(settings => Demo(settings, layers)),
            _opcUa,
            _http,
            Section(Pki),
            Section(Durable),
            _audit,
            Section(UserReader.Read),
            _jwt,
            Section(UpstreamReader.Read),
            Section(UpstreamReader.ReadReverse),
            Section(ModbusReader.Read),
            _pubSub,
            Section(NodeSets),
            Section(Simulator),
            Section(Limits<TransportLimits>),
            Section(HttpLimits),
            Section(Limits<RestLimits>),
            Section(Limits<ServerLimits>),
            Section(Limits<PublishLimits>),
            Section(Limits<AdmissionLimits>),
            Section(Limits<UpstreamLimits>),
            Section(Limits<LogLimits>),
            Section(Limits<TokenLimits>),
            Section(Limits<PubSubLimits>),
            Section(Limits<OtlpLimits>),
            Section(Admission),
            Section(Alarms),
            Section(Shutdown),
            Section(Log),
            _otlp,
            Section(settings => Report(settings, layers)),
        ];
    }

    /// <summary>The source of the options.</summary>
    public ConfigurationLayers Layers { get; }

    /// <summary>For log lines before and after the container exists.</summary>
    public OpcUaOptions OpcUa => _opcUa.Create(Options.DefaultName);

    /// <summary>For what is put together only where there is TLS.</summary>
    public HttpOptions Http => _http.Create(Options.DefaultName);

    /// <summary>For what is put together only where tokens are taken.</summary>
    public JwtOptions Jwt => _jwt.Create(Options.DefaultName);

    /// <summary>For what is put together only where something is published.</summary>
    public PubSubOptions PubSub => _pubSub.Create(Options.DefaultName);

    /// <summary>One section. Errors: <see cref="OptionsValidationException"/> where it has errors.</summary>
    public T Get<T>()
        where T : class => _sections.OfType<OptionsSection<T>>().Single().Create(Options.DefaultName);

    /// <summary>For what is put together only where there is a collector.</summary>
    public OtlpOptions Otlp => _otlp.Create(Options.DefaultName);

    /// <summary>For what is put together only where the audit trail is kept, and for the commands about it.</summary>
    public AuditOptions Audit => _audit.Create(Options.DefaultName);

    /// <summary>All that is wrong, each with its key: told before anything is built.</summary>
    public IReadOnlyList<string> FindErrors() => [.. _sections.SelectMany(section => section.Errors)];

    public void AddTo(IServiceCollection services)
    {
        foreach (var section in _sections)
            section.AddTo(services);
    }

    private OptionsSection<T> Section<T>(Func<SettingsReader, T> read)
        where T : class => new(Layers, read);

    private static DemoOptions Demo(SettingsReader settings, ConfigurationLayers layers)
    {
        settings.Errors.AddRange(layers.Arguments?.Errors ?? []);
        return new DemoOptions(settings.Flag(DemoOptions.Key, false));
    }

    private static PkiOptions Pki(SettingsReader settings)
    {
        var byDefault = new PkiOptions();
        var path = settings.Named("Pki:Path", byDefault.Path);
        if (path.Length > 0 && File.Exists(path))
            settings.Error("Pki:Path", $"'{Path.GetFullPath(path)}' is a file, not a folder");
        return new PkiOptions
        {
            Path = path,
            AutoTrust = settings.Flag("Pki:AutoTrust", false) || settings.IsDemo,
            AcceptUnknownRevocation = settings.Flag("Pki:AcceptUnknownRevocation", false),
            AcceptMissingKeyUsage = settings.Flag("Pki:AcceptMissingKeyUsage", false),
            AcceptMissingDataEncipherment = settings.Flag("Pki:AcceptMissingDataEncipherment", false),
            MaxRejectedCertificates =
                settings.Number("Pki:MaxRejectedCertificates", byDefault.MaxRejectedCertificates, 1, 10_000),
        };
    }

    /// <summary>By default beside what else has to outlive the process.</summary>
    private static DurableOptions Durable(SettingsReader settings)
    {
        if (!settings.Flag("Durable:Enabled", true))
            return new DurableOptions();
        var folder = settings.Quietly(Pki).Path;
        var path = settings.Named("Durable:Path", Path.Combine(folder.Length > 0 ? folder : ".", "durable"));
        if (File.Exists(path))
            settings.Error("Durable:Path", $"'{Path.GetFullPath(path)}' is a file, not a folder");
        return new DurableOptions { Path = path };
    }

    /// <summary>As durable subscriptions.</summary>
    private static AuditOptions ReadAudit(SettingsReader settings)
    {
        var byDefault = new AuditOptions();
        var fileBytes = settings.LongNumber("Audit:MaxFileBytes", byDefault.MaxFileBytes);
        var bytes = settings.LongNumber("Audit:MaxBytes", byDefault.MaxBytes);
        if (fileBytes < AuditChain.MaxLineBytes)
            settings.Error("Audit:MaxFileBytes", $"{fileBytes} is less than {AuditChain.MaxLineBytes}");
        else if (bytes / 2 < fileBytes)
            settings.Error("Audit:MaxBytes", $"{bytes} is less than two files of Audit:MaxFileBytes");
        if (!settings.Flag("Audit:Enabled", true))
            return byDefault;
        var folder = settings.Quietly(Pki).Path;
        var path = settings.Named("Audit:Path", Path.Combine(folder.Length > 0 ? folder : ".", "audit"));
        if (File.Exists(path))
            settings.Error("Audit:Path", $"'{Path.GetFullPath(path)}' is a file, not a folder");
        return new AuditOptions
        {
            Path = path,
            MaxFileBytes = fileBytes,
            MaxBytes = bytes,
            MaxQueueBytes = settings.Number("Audit:MaxQueueBytes", byDefault.MaxQueueBytes, 1_000, 1_000_000_000),
        };
    }

    private static NodeSetOptions NodeSets(SettingsReader settings)
    {
        var path = settings.Text("NodeSets:Path");
        if (path.Length > 0 && !Directory.Exists(path))
            settings.Error("NodeSets:Path", $"there is no folder '{Path.GetFullPath(path)}'");
        return new NodeSetOptions(path);
    }

    private static SimulatorOptions Simulator(SettingsReader settings)
    {
        var byDefault = new SimulatorOptions();
        return new SimulatorOptions
        {
            Enabled = settings.Flag("Simulator:Enabled", byDefault.Enabled),
            Tags = settings.Number("Simulator:Tags", byDefault.Tags, 0, SimulatorOptions.MaxTags),
            ChangesPerSecond = settings.Number(
                "Simulator:ChangesPerSecond", byDefault.ChangesPerSecond, 0, SimulatorOptions.MaxChangesPerSecond),
            EventsPerSecond = settings.Number(
                "Simulator:EventsPerSecond", byDefault.EventsPerSecond, 0, SimulatorOptions.MaxEventsPerSecond),
            Alarms = settings.Number("Simulator:Alarms", byDefault.Alarms, 0, SimulatorOptions.MaxAlarms),
        };
    }

    private static T Limits<T>(SettingsReader settings)
        where T : class, new() => new LimitsReader(settings, MemoryShare.Memory).Read<T>();

    private static HttpLimits HttpLimits(SettingsReader settings)
    {
        var limits = Limits<HttpLimits>(settings);
        if (limits.HttpGracePeriod <= ShortestGracePeriod)
            settings.Error("Limits:HttpGracePeriod", "is not more than a second: the web server looks once a second");
        return limits;
    }

    private static AdmissionOptions Admission(SettingsReader settings) =>
        new() { Enabled = settings.Flag("Admission:Enabled", true) };

    private static AlarmOptions Alarms(SettingsReader settings)
    {
        var folder = settings.Quietly(Pki).Path;
        var path = settings.Named("Alarms:Path", Path.Combine(folder.Length > 0 ? folder : ".", "alarms.json"));
        if (Directory.Exists(path))
            settings.Error("Alarms:Path", $"'{Path.GetFullPath(path)}' is a folder, not a file");
        return new AlarmOptions { Confirm = settings.Flag("Alarms:Confirm", false), Path = path };
    }

    private static ShutdownOptions Shutdown(SettingsReader settings)
    {
        var byDefault = new ShutdownOptions();
        var options = new ShutdownOptions
        {
            Announce = settings.Seconds(
                "Shutdown:AnnounceSeconds", byDefault.Announce.TotalSeconds, MaxShutdownSeconds),
            Grace = settings.Seconds("Shutdown:GraceSeconds", byDefault.Grace.TotalSeconds, MaxShutdownSeconds),
        };
        options = options with
        {
            Absence = settings.Seconds("Shutdown:ReturnSeconds", byDefault.Absence.TotalSeconds, MaxShutdownSeconds),
        };
        if (options.Announce >= options.Grace)
            settings.Error("Shutdown:AnnounceSeconds", "is not less than Shutdown:GraceSeconds");
        return options;
    }

    private static LogOptions Log(SettingsReader settings)
    {
        var format = settings.Text("Log:Format", "simple");
        if (format is not ("simple" or "json"))
            settings.Error("Log:Format", $"'{format}' is neither simple nor json");
        return new LogOptions
        {
            AsJson = format == "json",
            Level = LevelOf(settings, "Log:Level", settings.Text("Log:Level")),
            Levels =
            [
                .. settings.Texts("Log:Levels").Select(
                    one => (one.Name, LevelOf(settings, $"Log:Levels:{one.Name}", one.Text))),
            ],
        };
    }

    private static LogLevel LevelOf(SettingsReader settings, string key, string text)
    {
        if (text.Length == 0)
            return LogLevel.Information;
        if (Enum.TryParse<LogLevel>(text, ignoreCase: true, out var level) && Enum.IsDefined(level) &&
            !char.IsAsciiDigit(text[0]))
            return level;
        settings.Error(key, $"'{text}' is no level; levels are {string.Join(", ", Enum.GetNames<LogLevel>())}");
        return LogLevel.Information;
    }

    private static ConfigurationReport Report(SettingsReader settings, ConfigurationLayers layers)
    {
        settings.CheckForUnknownKeys();
        if (layers.IsOfFile(CommandLine.PathKey))
            settings.Error(CommandLine.PathKey, "only the command line and the environment can name another file");
        return new ConfigurationReport { Files = layers.Files, Warnings = settings.Warnings };
    }
}
