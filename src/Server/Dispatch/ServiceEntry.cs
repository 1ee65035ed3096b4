using Gateway.Admission.Stages;
using Gateway.Server.Sessions;

namespace Gateway.Server.Dispatch;

/// <summary>A row of the table of services.</summary>
internal sealed class ServiceEntry(string name, ServiceAccess access, ServiceHandler handler)
{
    private long _requests;
    private long _failed;

    public string Name { get; } = name;

    /// <summary>Which counter of a session's diagnostics it moves.</summary>
    public CountedService Counted { get; } =
        Enum.TryParse<CountedService>(name, out var counted) ? counted : CountedService.None;

    /// <summary>The admission stage, for services of a session.</summary>
    public AdmissionStage Stage { get; } =
        name == nameof(AdmissionStage.Publish) ? AdmissionStage.Publish : AdmissionStage.Request;

    public ServiceAccess Access { get; } = access;

    public ServiceHandler Handler { get; } = handler;

    /// <summary>Of its measurements.</summary>
    public KeyValuePair<string, object?> Tag { get; } = new("service", name);

    public long Requests => Interlocked.Read(ref _requests);

    public long Failed => Interlocked.Read(ref _failed);

    public void CountFailed() => Interlocked.Increment(ref _failed);

    public void Count() => Interlocked.Increment(ref _requests);
}
