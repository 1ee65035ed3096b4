using Gateway.Codec.Types;

namespace Gateway.Events.Conditions;

/// <summary>Conditions as another process needs them, and back. A shelving ends when it would have ended here: by the
/// wall clock meanwhile.</summary>
internal static class ConditionKeeping
{
    /// <summary>Null: it is as if it were new.</summary>
    public static KeptCondition? Keep(Condition condition, TimeProvider time)
    {
        var state = condition.Current.State;
        if (!state.Retain && state.Enabled.Id && !state.IsSuppressedOrShelved)
            return null;
        var definition = condition.Definition;
        return new KeptCondition
        {
            ConditionId = definition.ConditionId,
            EventType = definition.Layout.EventType,
            ConditionName = definition.ConditionName,
            Source = definition.Source,
            SourceName = definition.SourceName,
            WantsConfirmation = definition.WantsConfirmation,
            States = [.. condition.Branches.Append(condition.Current).Select(branch => Keep(branch, time))],
        };
    }

    /// <summary>Null: no version of the gateway has made that, or it is of a type that is not there any more.</summary>
    public static Condition? Restore(KeptCondition kept, ConditionLimits limits, TimeProvider time)
    {
        if (kept.States.Count == 0 || ConditionLayouts.Find(kept.EventType) is not { } layout)
            return null;
        var condition = new Condition(
            new ConditionDefinition
            {
                ConditionId = kept.ConditionId,
                Layout = layout,
                ConditionName = kept.ConditionName,
                Source = kept.Source,
                SourceName = kept.SourceName,
                WantsConfirmation = kept.WantsConfirmation,
                // They come with the first report.
                OwnValues = new Variant[layout.Fields.Count - ConditionLayouts.SystemOffNormal.Fields.Count],
            },
            limits, time);
        Restore(condition.Current, kept.States[^1], limits, time);
        for (var i = 0; i < Math.Min(kept.States.Count - 1, limits.MaxBranchesPerCondition); i++)
        {
            var branch = new ConditionBranch(new ConditionState());
            Restore(branch, kept.States[i], limits, time);
            condition.AddRestored(branch);
        }

        condition.RestoreRetain();
        return condition;
    }

    private static KeptState Keep(ConditionBranch branch, TimeProvider time)
    {
        var state = branch.State;
        return new KeptState
        {
            BranchId = state.BranchId,
            EventIds = [.. branch.EventIds],
            Time = state.Time,
            Enabled = state.Enabled,
            Active = state.Active,
            Acked = state.Acked,
            Confirmed = state.Confirmed,
            Suppressed = state.Suppressed,
            OutOfService = state.OutOfService,
            Shelving = state.Shelving.Kind,
            ShelvingSince = state.Shelving.Since,
            ShelvedUntil = state.Shelving.IsShelved
                ? time.GetUtcNow().UtcDateTime + time.GetElapsedTime(time.GetTimestamp(), state.Shelving.Until)
                : default,
            Severity = state.Severity,
            LastSeverity = state.LastSeverity,
            LastSeveritySince = state.LastSeveritySince,
            Message = state.Message,
            Comment = state.Comment,
            CommentSince = state.CommentSince,
            ClientUserId = state.ClientUserId,
        };
    }

    private static void Restore(
        ConditionBranch branch, KeptState kept, ConditionLimits limits, TimeProvider time)
    {
        foreach (var eventId in kept.EventIds)
            branch.Add(eventId);
        branch.State = new ConditionState
        {
            BranchId = kept.BranchId,
            EventId = kept.EventIds.Count > 0 ? kept.EventIds[^1] : [],
            Time = kept.Time,
            Enabled = kept.Enabled,
            Active = kept.Active,
            Acked = kept.Acked,
            Confirmed = kept.Confirmed,
            Suppressed = kept.Suppressed,
            OutOfService = kept.OutOfService,
            Shelving = ShelvingOf(kept, limits, time),
            Severity = kept.Severity,
            LastSeverity = kept.LastSeverity,
            LastSeveritySince = kept.LastSeveritySince,
            Message = kept.Message,
            Comment = kept.Comment,
            CommentSince = kept.CommentSince,
            ClientUserId = kept.ClientUserId,
        };
    }

    /// <summary>One that has ended meanwhile ends with the next look at shelvings, and is told. A clock that was set
    /// makes none longer than any may be.</summary>
    private static Shelving ShelvingOf(KeptState kept, ConditionLimits limits, TimeProvider time)
    {
        if (kept.Shelving == ShelvingKind.Unshelved)
            return default;
        var left = Math.Clamp(
            (kept.ShelvedUntil - time.GetUtcNow().UtcDateTime).TotalSeconds, 0,
            limits.MaxConditionShelving.TotalSeconds);
        return new Shelving(
            kept.Shelving, new NodeId(ShelvingTable.TransitionOf(ShelvingKind.Unshelved, kept.Shelving)),
            kept.ShelvingSince, time.GetTimestamp() + (long)(left * time.TimestampFrequency));
    }
}
