using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using Gateway.Admission.Explain;
using Gateway.Admission.Stages;

namespace Gateway.Host.Http;

/// <summary>
/// The JSON of the admission paths. Names of stages and reasons are the metrics' labels. A limit is <c>{"name": key
/// below Limits:, "value": number, or hh:mm:ss of a time}</c>, absent if no limit is behind it. Unknown fields are
/// absent too. A peer's text is cleaned and cut, and the writer escapes it.
/// </summary>
internal static class AdmissionJson
{
    private const int MaxDetailLength = 600;

    /// <summary>For people with curl: quotes and backticks stay readable. It is never sent as HTML.</summary>
    private static readonly JsonWriterOptions Options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    public static ReadOnlyMemory<byte> Write(AdmissionReport report, AdmissionExplainer explainer)
    {
        var buffer = new ArrayBufferWriter<byte>(16 * 1024);
        using var writer = new Utf8JsonWriter(buffer, Options);
        writer.WriteStartObject();
        writer.WriteString("at", report.At);
        writer.WriteBoolean("enabled", report.IsEnabled);
        writer.WriteStartObject("handshakes");
        writer.WriteNumber("window", report.HandshakeWindow);
        writer.WriteNumber("underWay", report.HandshakesUnderWay);
        writer.WriteNumber("ratePerSecond", Math.Round(report.HandshakeRate, 1));
        writer.WriteNumber("concurrencyShare", Math.Round(report.ConcurrencyShare, 3));
        writer.WriteEndObject();
        writer.WriteStartArray("stages");
        foreach (var stage in report.Stages)
            WriteStage(writer, stage, explainer);
        writer.WriteEndArray();
        WriteBusiest(writer, report);
        WriteAdvice(writer, report.Advice);
        writer.WriteEndObject();
        writer.Flush();
        return buffer.WrittenMemory;
    }

    public static ReadOnlyMemory<byte> Write(WhatIf answer)
    {
        var buffer = new ArrayBufferWriter<byte>(1024);
        using var writer = new Utf8JsonWriter(buffer, Options);
        writer.WriteStartObject();
        writer.WriteString("limit", answer.Limit);
        writer.WriteNumber("value", answer.Value);
        if (answer.InForce is { } inForce)
            writer.WriteNumber("inForce", inForce);
        writer.WriteBoolean("known", answer.IsKnown);
        if (answer.From is { } from && answer.To is { } to)
        {
            writer.WriteString("from", from);
            writer.WriteString("to", to);
        }

        if (answer.IsKnown)
        {
            writer.WriteNumber("refused", answer.Refused);
            writer.WriteNumber("wouldHaveBeenLetIn", answer.LetIn);
        }

        writer.WriteString("words", answer.Words);
        writer.WriteEndObject();
        writer.Flush();
        return buffer.WrittenMemory;
    }

    /// <summary>Newest first; <c>total</c> counts those that are kept no more too.</summary>
    public static ReadOnlyMemory<byte> Write(DecisionLog decisions, AdmissionExplainer explainer)
    {
        var buffer = new ArrayBufferWriter<byte>(64 * 1024);
        using var writer = new Utf8JsonWriter(buffer, Options);
        writer.WriteStartObject();
        writer.WriteNumber("total", decisions.Total);
        writer.WriteStartArray("decisions");
        foreach (var refusal in decisions.Snapshot())
            WriteRefusal(writer, refusal, explainer);
        writer.WriteEndArray();
        writer.WriteEndObject();
        writer.Flush();
        return buffer.WrittenMemory;
    }

    private static void WriteStage(Utf8JsonWriter writer, StageReport stage, AdmissionExplainer explainer)
    {
        writer.WriteStartObject();
        writer.WriteString("stage", ReasonTable.NameOf(stage.Stage));
        if (stage.LimitName is { } name)
            WriteLimit(writer, name, stage.Limit);
        writer.WriteNumber("inUse", stage.Use);
        writer.WriteNumber("waiting", stage.Waiting);
        WriteFlow(writer, "lastMinute", stage.Stage, stage.LastMinute, explainer);
        WriteFlow(writer, "lastFiveMinutes", stage.Stage, stage.LastFiveMinutes, explainer);
        writer.WriteEndObject();
    }

    private static void WriteFlow(
        Utf8JsonWriter writer, string name, AdmissionStage stage, StageFlow flow, AdmissionExplainer explainer)
    {
        writer.WriteStartObject(name);
        writer.WriteNumber("seconds", Math.Round(flow.Over.TotalSeconds, 1));
        writer.WriteNumber("admitted", flow.Admitted);
        writer.WriteNumber("queued", flow.Queued);
        writer.WriteNumber("refused", flow.Refused);
        writer.WriteStartArray("refusals");
        foreach (var (reason, count) in flow.Shed)
        {
            writer.WriteStartObject();
            writer.WriteString("reason", ReasonTable.NameOf(reason));
            writer.WriteNumber("count", count);
            if (explainer.LimitOf(stage, reason) is { } limit)
                WriteLimit(writer, limit.Key, limit.Value);
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    private static void WriteBusiest(Utf8JsonWriter writer, AdmissionReport report)
    {
        writer.WriteStartObject("busiest");
        writer.WriteStartArray("certificates");
        foreach (var client in report.Certificates)
        {
            writer.WriteStartObject();
            writer.WriteString("thumbprint", client.Key);
            WriteText(writer, "subject", client.Subject);
            WriteText(writer, "applicationUri", client.ApplicationUri);
            WriteText(writer, "address", client.Address);
            writer.WriteNumber("channels", client.Connections);
            WriteCounts(writer, client);
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
        writer.WriteStartArray("addresses");
        foreach (var client in report.Addresses)
        {
            writer.WriteStartObject();
            writer.WriteString("address", client.Key);
            writer.WriteNumber("connections", client.Connections);
            writer.WriteNumber("httpConnections", client.HttpConnections);
            WriteCounts(writer, client);
            writer.WriteNumber("verifiedCertificates", client.VerifiedCertificates);
            writer.WriteNumber("falseClaims", client.FalseClaims);
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    private static void WriteCounts(Utf8JsonWriter writer, ClientReport client)
    {
        writer.WriteNumber("attemptsLastMinute", client.AttemptsLastMinute);
        writer.WriteNumber("attemptsLastFiveMinutes", client.AttemptsLastFiveMinutes);
        writer.WriteNumber("refusalsLastFiveMinutes", client.RefusalsLastFiveMinutes);
    }

    private static void WriteAdvice(Utf8JsonWriter writer, IReadOnlyList<Advice> advice)
    {
        writer.WriteStartArray("advice");
        foreach (var one in advice)
        {
            writer.WriteStartObject();
            WriteText(writer, "stage", one.Stage is { } stage ? ReasonTable.NameOf(stage) : null);
            WriteText(writer, "limit", one.LimitName);
            writer.WriteString("text", one.Text);
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
    }

    private static void WriteRefusal(Utf8JsonWriter writer, Refusal refusal, AdmissionExplainer explainer)
    {
        writer.WriteStartObject();
        writer.WriteString("at", refusal.At);
        writer.WriteString("stage", ReasonTable.NameOf(refusal.Stage));
        writer.WriteString("reason", ReasonTable.NameOf(refusal.Reason));
        writer.WriteString("status", refusal.Status.ToString());
        if (refusal.RetryAfterMs > 0)
            writer.WriteNumber("retryAfterMs", refusal.RetryAfterMs);
        writer.WriteString("address", refusal.Address);
        WriteText(writer, "thumbprint", refusal.Thumbprint);
        WriteText(writer, "subject", ExplainText.Clean(refusal.Subject));
        WriteText(writer, "user", ExplainText.Clean(refusal.User));
        WriteText(writer, "detail", ExplainText.Clean(refusal.Detail, MaxDetailLength));
        if (explainer.LimitOf(refusal.Stage, refusal.Reason) is { } limit)
            WriteLimit(writer, limit.Key, limit.Value);
        WriteText(writer, "advice", explainer.AdviceOn(refusal));
        writer.WriteEndObject();
    }

    private static void WriteLimit(Utf8JsonWriter writer, string name, object? value)
    {
        writer.WriteStartObject("limit");
        writer.WriteString("name", name);
        switch (value)
        {
            case TimeSpan time:
                writer.WriteString("value", time.ToString());
                break;
            case double number:
                writer.WriteNumber("value", number);
                break;
            case IConvertible number:
                writer.WriteNumber("value", number.ToInt64(null));
                break;
        }
        writer.WriteEndObject();
    }

    private static void WriteText(Utf8JsonWriter writer, string name, string? text)
    {
        if (!string.IsNullOrEmpty(text))
            writer.WriteString(name, text);
    }
}
