namespace Gateway.Tests.Telemetry;

/// <summary>Span.SpanKind of OTLP.</summary>
internal enum SpanRole
{
    Internal = 1,
    Server = 2,
    Client = 3,
}
