using Gateway.Codec.Types;

namespace Gateway.Events.Conditions;

/// <summary>
/// The state machines of one alarm. Each member changes the state and lists the branches of which a notification has to
/// tell; it raises nothing itself. A state that waits for its acknowledgement or confirmation when the alarm becomes
/// active anew is left behind as a branch. Owner: the <see cref="ConditionTable"/>, under its lock. Source: Part 9
/// §4.4, §5.5 to §5.8, Annex B.
/// </summary>
internal sealed class Condition(ConditionDefinition definition, ConditionLimits limits, TimeProvider time)
{
    private readonly List<ConditionBranch> _branches = [];

    /// <summary>Its fields may change: a certificate has another end.</summary>
    public ConditionDefinition Definition { get; set; } = definition;

    public ConditionBranch Current { get; } = new(new ConditionState());

    public IReadOnlyList<ConditionBranch> Branches => _branches;

    /// <summary>The table counts it among those that wait for their shelving's end.</summary>
    public bool IsCountedAsShelved { get; set; }

    /// <summary>To be told, in this order.</summary>
    public List<ConditionBranch> Changed { get; } = [];

    /// <summary>The source of the alarm says how it is. While the condition is disabled nothing is told.</summary>
    public void Report(bool isActive, ushort severity, string message, DateTime now)
    {
        var state = Current.State;
        if (isActive != state.Active.Id)
            SetActive(isActive, severity, message, now);
        else if (isActive && severity != state.Severity)
            SetSeverity(severity, message, now);
        RenewRetain();
        if (!state.Enabled.Id)
            Changed.Clear();
    }

    /// <summary>Errors: the codes of Part 9 §5.13.</summary>
    public StatusCode Call(in ConditionCall call, DateTime now)
    {
        var isEnabled = Current.State.Enabled.Id;
        var status = call.Act switch
        {
            ConditionAct.Enable => SetEnabled(true, StatusCodes.BadConditionAlreadyEnabled, now),
            ConditionAct.Disable => SetEnabled(false, StatusCodes.BadConditionAlreadyDisabled, now),
            _ when !isEnabled => StatusCodes.BadConditionDisabled,
            _ when ConditionLimits.IsTooLong(call.Comment, limits) => StatusCodes.BadInvalidArgument,
            ConditionAct.AddComment or ConditionAct.Acknowledge or ConditionAct.Confirm => Answer(call, now),
            _ => Change(call, now),
        };
        RenewRetain();
        return status;
    }

    /// <summary>Of the process before; before anything else.</summary>
    public void AddRestored(ConditionBranch branch) => _branches.Add(branch);

    /// <summary>Retain follows from the states that were restored, without a notification.</summary>
    public void RestoreRetain()
    {
        Changed.AddRange(_branches);
        RenewRetain();
        Changed.Clear();
    }

    /// <summary>The end of the shelving has come.</summary>
    public bool TryExpire(long timestamp, DateTime now)
    {
        var shelving = Current.State.Shelving;
        if (!shelving.IsShelved || shelving.Until > timestamp)
            return false;
        Current.State = Current.State with { Shelving = shelving.To(ShelvingKind.Unshelved, now, 0) };
        if (Current.State.Enabled.Id)
            Changed.Add(Current);
        return true;
    }

    private void SetActive(bool isActive, ushort severity, string message, DateTime now)
    {
        if (isActive)
        {
            LeaveBehind();
            Current.State = WithSeverity(Current.State, severity, now) with
            {
                Active = Current.State.Active.To(true, now),
                Acked = Current.State.Acked.To(false, now),
                Confirmed = Current.State.Confirmed.To(true, now),
                Message = message,
            };
        }
        else
        {
            var state = Current.State;
            var isOver = state.Shelving.Kind == ShelvingKind.OneShotShelved;
            Current.State = state with
            {
                Active = state.Active.To(false, now),
                Shelving = isOver ? state.Shelving.To(ShelvingKind.Unshelved, now, 0) : state.Shelving,
                Message = message,
            };
        }

        Changed.Add(Current);
    }

    /// <summary>An alarm that becomes worse needs another acknowledgement.</summary>
    private void SetSeverity(ushort severity, string message, DateTime now)
    {
        var isWorse = severity > Current.State.Severity;
        if (isWorse && Current.State is { Acked.Id: true, Confirmed.Id: false })
            LeaveBehind();
        var state = WithSeverity(Current.State, severity, now) with { Message = message };
        Current.State = isWorse
            ? state with { Acked = state.Acked.To(false, now), Confirmed = state.Confirmed.To(true, now) }
            : state;
        Changed.Add(Current);
    }

    private static ConditionState WithSeverity(ConditionState state, ushort severity, DateTime now) =>
        severity == state.Severity ? state : state with
        {
            Severity = severity,
            LastSeverity = state.Severity,
            LastSeveritySince = now,
        };

    /// <summary>Without room for one more branch an answer to an earlier notification counts for the present state.
    /// </summary>
    private void LeaveBehind()
    {
        var state = Current.State;
        if (!state.IsOpen || !state.Enabled.Id || _branches.Count >= limits.MaxBranchesPerCondition)
            return;
        var branch = new ConditionBranch(state with { BranchId = new NodeId(Guid.NewGuid(), 1) });
        Current.GiveEventIdsTo(branch);
        _branches.Add(branch);
        Changed.Add(branch);
    }

    private StatusCode SetEnabled(bool isEnabled, StatusCode already, DateTime now)
    {
        var state = Current.State;
        if (state.Enabled.Id == isEnabled)
            return already;
        Current.State = state with { Enabled = new TwoState(isEnabled, now) };
        Changed.Add(Current);
        foreach (var branch in _branches)
        {
            branch.State = branch.State with { Enabled = new TwoState(isEnabled, now) };
            // The one notification of a disabled condition stands for its branches, too.
            if (isEnabled)
                Changed.Add(branch);
        }

        return StatusCode.Good;
    }

    private StatusCode Answer(in ConditionCall call, DateTime now)
    {
        if (Find(call.EventId) is not { } branch)
            return StatusCodes.BadEventIdUnknown;
        var state = branch.State;
        if (call.Act == ConditionAct.Acknowledge)
        {
            if (state.Acked.Id)
                return StatusCodes.BadConditionBranchAlreadyAcked;
            state = state with
            {
                Acked = new TwoState(true, now),
                Confirmed = state.Confirmed.To(!Definition.WantsConfirmation, now),
            };
        }
        else if (call.Act == ConditionAct.Confirm)
        {
            if (state.Confirmed.Id)
                return StatusCodes.BadConditionBranchAlreadyConfirmed;
            state = state with { Confirmed = new TwoState(true, now) };
        }

        branch.State = WithComment(state, call, now);
        Changed.Add(branch);
        if (branch != Current && !state.IsOpen)
            _branches.Remove(branch);
        return StatusCode.Good;
    }

    private ConditionBranch? Find(byte[]? eventId)
    {
        if (Current.Knows(eventId))
            return Current;
        return _branches.Find(branch => branch.Knows(eventId));
    }

    /// <summary>Of the alarm as a whole, whatever its branches. Suppress and its like do nothing where that is so
    /// already.</summary>
    private StatusCode Change(in ConditionCall call, DateTime now)
    {
        var state = Current.State;
        var status = StatusCode.Good;
        var next = call.Act switch
        {
            ConditionAct.Suppress => state with { Suppressed = state.Suppressed.To(true, now) },
            ConditionAct.Unsuppress => state with { Suppressed = state.Suppressed.To(false, now) },
            ConditionAct.RemoveFromService => state with { OutOfService = state.OutOfService.To(true, now) },
            ConditionAct.PlaceInService => state with { OutOfService = state.OutOfService.To(false, now) },
            _ => Shelve(state, call, now, out status),
        };
        if (status.IsBad)
            return status;
        next = WithComment(next, call, now);
        if (next == state)
            return StatusCode.Good;
        Current.State = next;
        Changed.Add(Current);
        return StatusCode.Good;
    }

    private ConditionState Shelve(ConditionState state, in ConditionCall call, DateTime now, out StatusCode status)
    {
        var kind = call.Act switch
        {
            ConditionAct.TimedShelve => ShelvingKind.TimedShelved,
            ConditionAct.OneShotShelve => ShelvingKind.OneShotShelved,
            _ => ShelvingKind.Unshelved,
        };
        var lasts = limits.MaxConditionShelving.TotalMilliseconds;
        if (call.Act == ConditionAct.TimedShelve)
        {
            if (!(call.ShelvingTime > 0 && call.ShelvingTime <= lasts))
            {
                status = StatusCodes.BadShelvingTimeOutOfRange;
                return state;
            }

            lasts = call.ShelvingTime;
        }

        if (ShelvingTable.TransitionOf(state.Shelving.Kind, kind) == 0)
        {
            status = kind == ShelvingKind.Unshelved
                ? StatusCodes.BadConditionNotShelved
                : StatusCodes.BadConditionAlreadyShelved;
            return state;
        }

        status = StatusCode.Good;
        var until = time.GetTimestamp() + (long)(lasts / 1000 * time.TimestampFrequency);
        return state with { Shelving = state.Shelving.To(kind, now, until) };
    }

    private static ConditionState WithComment(ConditionState state, in ConditionCall call, DateTime now)
    {
        var isNull = string.IsNullOrEmpty(call.Comment.Text) && string.IsNullOrEmpty(call.Comment.Locale);
        // A call without a comment also has a user, who acknowledged.
        if (isNull)
            return call.Act is ConditionAct.Acknowledge or ConditionAct.Confirm or ConditionAct.AddComment
                ? state with { ClientUserId = call.User }
                : state;
        return state with { Comment = call.Comment, CommentSince = now, ClientUserId = call.User };
    }

    /// <summary>Retain: the state is of interest, or a branch of it. The notification that ends the interest is told.
    /// Source: Part 9 §5.5.2.</summary>
    private void RenewRetain()
    {
        foreach (var branch in Changed)
        {
            if (branch != Current)
                branch.State = branch.State with { Retain = branch.State is { Enabled.Id: true, IsOpen: true } };
        }

        var state = Current.State;
        var retain = state.Enabled.Id && (state.Active.Id || state.IsOpen || _branches.Count > 0);
        if (retain == state.Retain)
            return;
        Current.State = state with { Retain = retain };
        if (!Changed.Contains(Current))
            Changed.Add(Current);
    }
}
