using System.Text.Json;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;

namespace Gateway.Rest.Alarms;

/// <summary>The members of an alarm.</summary>
internal static class AlarmJson
{
    public static void Write(Utf8JsonWriter json, ConditionReport one, string[] uris)
    {
        json.WriteStartObject();
        json.WriteString("alarm", NodeIdText.Format(one.ConditionId, uris));
        json.WriteString("eventId", Convert.ToBase64String(one.EventId));
        if (!one.BranchId.IsNull)
            json.WriteString("branch", NodeIdText.Format(one.BranchId, uris));
        json.WriteString("name", one.ConditionName);
        json.WriteString("source", one.SourceName);
        if (one.Upstream is { } upstream)
            json.WriteString("upstream", upstream);
        if (!one.Quality.IsGood)
            json.WriteString("quality", one.Quality.ToString());
        json.WriteString("time", one.Time);
        json.WriteNumber("severity", one.Severity);
        json.WriteString("message", one.Message);
        json.WriteBoolean("active", one.Active.Id);
        if (one.Active.Since != default)
            json.WriteString("since", one.Active.Since);
        json.WriteBoolean("acknowledged", one.IsAcked);
        json.WriteBoolean("confirmed", one.IsConfirmed);
        json.WriteBoolean("retain", one.Retain);
        json.WriteBoolean("enabled", one.IsEnabled);
        json.WriteBoolean("suppressed", one.IsSuppressed);
        json.WriteBoolean("outOfService", one.IsOutOfService);
        json.WriteString("shelving", one.Shelving.ToString());
        if (one.Comment.Text is { } comment)
            json.WriteString("comment", comment);
        if (one.User is { } user)
            json.WriteString("user", user);
        json.WriteEndObject();
    }
}
