namespace Gateway.Server.Audit.Trail;

/// <summary>Keeps the audit trail. Called on the data plane's threads: it never waits and never throws.</summary>
public interface IAuditSink
{
    void Append(in AuditRecord record);
}
